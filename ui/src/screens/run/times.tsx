// Where the time of a typical and of a slow request goes: two bars, and their parts in a table.

import type { Run, TimeBar, TimePart } from '../../model'
import { PlaceText } from '../../components/place'
import { darkText, stateColour } from '../../components/states'

/** Times shows both bars, each as wide as the other, since a slow request may take a hundred times as long. */
export function Times({ of }: { of: Run }) {
  const bars = of.times ?? []
  return (
    <div data-test="times">
      <div class="bars">{bars.map(b => <Bar key={b.cohort} bar={b} />)}</div>
      {bars.length > 0 && <Parts bars={bars} />}
      {!!of.causes?.length && (
        <>
          <h3>What slow requests spend more time on</h3>
          <PartTable parts={of.causes} name="What slow requests spend more time on" />
        </>
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
        {bar.parts.map((p, i) => (
          <span key={i} title={`${p.text}: ${p.label}`} class={ink(p.state)} style={{ flexGrow: String(Math.max(p.share, 0)), flexBasis: '0', background: `var(${stateColour(p.state)})` }}>
            {p.share > 0.07 && <span>{Math.round(p.share * 100)} % {p.text}</span>}
          </span>
        ))}
      </div>
    </div>
  )
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
  return (
    <div class="scroll">
      <table class="data" aria-label={name}>
        <tbody>
          {parts.map((p, i) => (
            <tr key={i}>
              <td>
                <span class="swatch" style={{ background: `var(${stateColour(p.state)})` }} />{p.text}
                {p.place && <div class="small muted" style={{ paddingLeft: '19px' }}><PlaceText place={p.place} /></div>}
              </td>
              <td class="number">{p.label}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
