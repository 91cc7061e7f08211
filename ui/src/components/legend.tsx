// What the marks of a chart stand for. Marks differ in shape as well as in colour.

export type Shape = 'line' | 'dash' | 'dot' | 'hollow' | 'triangle' | 'cross' | 'tick' | 'area'

export interface Item {
  key: string
  name: string
  shape: Shape
  /** colour is a CSS variable: "--a". */
  colour: string
  value?: string
}

interface Props {
  items: Item[]
  /** off are the keys that are not drawn; toggle makes the items buttons. */
  off?: ReadonlySet<string>
  toggle?: (key: string) => void
}

/** Legend lists the items of a chart; with toggle each can be switched off. */
export function Legend({ items, off, toggle }: Props) {
  return (
    <ul class="legend" data-test="legend">
      {items.map(i => (
        <li key={i.key}>
          {toggle
            ? <button type="button" aria-pressed={!off?.has(i.key)} onClick={() => toggle(i.key)}><Mark {...i} />{i.name}</button>
            : <><Mark {...i} />{i.name}</>}
          {i.value !== undefined && <span class="value">{i.value}</span>}
        </li>
      ))}
    </ul>
  )
}

function Mark({ shape, colour }: Item) {
  const c = `var(${colour})`
  const at = { width: 16, height: 12, 'aria-hidden': true } as const
  switch (shape) {
    case 'line': return <svg {...at}><path d="M0 6H16" style={{ stroke: c }} stroke-width="2.5" /></svg>
    case 'dash': return <svg {...at}><path d="M0 6H16" style={{ stroke: c }} stroke-width="2" stroke-dasharray="4 3" /></svg>
    case 'dot': return <svg {...at}><circle cx="8" cy="6" r="4" style={{ fill: c }} /></svg>
    case 'hollow': return <svg {...at}><circle cx="8" cy="6" r="3.5" fill="none" style={{ stroke: c }} stroke-width="1.5" /></svg>
    case 'triangle': return <svg {...at}><path d="M8 1.5L13 10.5H3Z" style={{ fill: c }} /></svg>
    case 'cross': return <svg {...at}><path d="M4 2L12 10M12 2L4 10" style={{ stroke: c }} stroke-width="2" /></svg>
    case 'tick': return <svg {...at}><path d="M8 3V9" style={{ stroke: c }} stroke-width="2" /></svg>
    case 'area': return <svg {...at}><rect width="16" height="12" style={{ fill: c }} /></svg>
  }
}
