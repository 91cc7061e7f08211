// Where the time of a typical and of a slow request goes: two bars, and their parts in a table.

import type { Run, TimeBar, TimePart } from '../../model'
import { PlaceText } from '../../components/place'
import { darkText, stateColour } from '../../components/states'
import { value } from '../../profile/format'
import { Scroll } from '../../components/scroll'

/** Times shows both bars, each as wide as the other, since a slow request may take a hundred times as long. */
export function Times({ of }: { of: Run }) {
  const bars = of.times ?? []
  return (
    <div data-test="times">
      <div class="bars">{bars.map(b => <Bar key={b.cohort} bar={b} />)}</div>
      {bars.length > 0 && <Parts bars={bars} />}
      {!!of.causes?.length && (
        <PartTable parts={of.causes} name="What slow requests spend more time on" />
      )}
      {of.times_note && <p class="small muted" style={{ marginTop: '10px' }}>{of.times_note}</p>}
    </div>
  )
}

function Bar({ bar }: { bar: TimeBar }) {
  return (
    <div data-test={'bar-' + bar.cohort}>
      <div class="bar-head"><b>{bar.title}</b><span>{bar.latency.text}</span><span class="muted">{bar.requests.toLocaleString('en-US')} requests seen</span></div>
      <div class="stack" role="img" aria-label={`${bar.title}: ${bar.parts.map(p => `${p.text} ${p.label}`).join('; ')}`}>
        {[...large(bar.parts), ...gathered(bar.parts)].map((p, i) => (
          <span key={i} title={`${p.text}: ${p.label}`} class={ink(p.state)} style={{ flexGrow: String(Math.max(p.share, 0)), flexBasis: '0', ...look(p, bar.parts) }}>
            {p.share > 0.07 && <span>{Math.round(p.share * 100)} % {p.text}</span>}
          </span>
        ))}
      </div>
    </div>
  )
}

/** smallest is the share below which parts are gathered, where there are several such. */
const smallest = 0.02

const small = (parts: TimePart[]) => { const all = parts.filter(p => p.share < smallest); return all.length > 1 ? all : [] }

/** large are the parts that stand for themselves. */
const large = (parts: TimePart[]) => { const none = small(parts); return parts.filter(p => !none.includes(p)) }

/** gathered are the small parts in one; none if there are not several. */
function gathered(parts: TimePart[]): TimePart[] {
  const all = small(parts), sum = (of: (p: TimePart) => number) => all.reduce((t, p) => t + of(p), 0)
  if (!all.length) return []
  const ns = sum(p => p.ns), share = sum(p => p.share)
  return [{ state: 'gathered', text: `other, ${all.length} small parts`, ns, share, label: `${share < 0.005 ? 'under 1' : Math.round(share * 100)} %, ${value(ns, 'nanoseconds')}` }]
}

/** look is how a part is filled. Of those of one colour the second has stripes, and the third dots. */
function look(part: TimePart, parts: TimePart[]): Record<string, string> {
  const fill = `var(${stateColour(part.state)})`, mark = 'color-mix(in srgb, var(--page) 55%, transparent)'
  const nth = large(parts).filter(p => stateColour(p.state) === stateColour(part.state)).indexOf(part)
  const background = part.state === 'gathered' ? `repeating-linear-gradient(90deg, ${fill} 0 4px, var(--page) 4px 6px)`
    : nth === 1 ? `repeating-linear-gradient(45deg, ${mark} 0 2px, transparent 2px 7px), ${fill}`
    : nth > 1 ? `radial-gradient(${mark} 1.5px, transparent 2px) 0 0 / 7px 7px, ${fill}`
    : fill
  return { '--fill': fill, background }
}

function ink(state: string): string {
  const [light, dark] = darkText(state)
  return `ink-${light ? 'dark' : 'light'}-${dark ? 'dark' : 'light'}`
}

/** Parts is the legend of both bars. */
function Parts({ bars }: { bars: TimeBar[] }) {
  return (
    <div class="two" style={{ marginTop: '14px' }}>
      {bars.map(b => <div key={b.cohort}><PartTable parts={b.parts} name={b.title} /></div>)}
    </div>
  )
}

function PartTable({ parts, name }: { parts: TimePart[], name: string }) {
  const rest = small(parts), other = gathered(parts)[0]
  return (
    <Scroll name={name}>
      <table class="data">
        <caption>{name}</caption>
        <tbody>
          {large(parts).map((p, i) => <PartRow key={i} part={p} parts={parts} />)}
          {other && <PartRow part={other} parts={parts} />}
        </tbody>
      </table>
      {other && (
        <details class="fold small">
          <summary>The {rest.length} small parts</summary>
          <table class="data" aria-label={name + ', small parts'}><tbody>{rest.map((p, i) => <PartRow key={i} part={p} />)}</tbody></table>
        </details>
      )}
    </Scroll>
  )
}

/** PartRow is one part; with all parts of its bar it has the sign of its segment. */
function PartRow({ part: p, parts }: { part: TimePart, parts?: TimePart[] }) {
  return (
    <tr>
      <td>
        {parts && <span class="swatch" style={look(p, parts)} />}{p.text}
        {p.place && <div class="small muted" style={{ paddingLeft: parts ? '22px' : '0' }}><PlaceText place={p.place} /></div>}
      </td>
      <td class="number">{p.label}</td>
    </tr>
  )
}
