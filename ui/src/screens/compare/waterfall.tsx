// From A's cost to B's, one cause per row. Bars hang where the one before ended, so that they add up.

import type { Waterfall as Data, WaterfallStep } from '../../model'
import { PlaceText } from '../../components/place'

interface Props { of: Data, a: string, b: string, id: string }

/** Waterfall draws one. a and b are the letters of the variants. Where nothing is explained, a sentence says why. */
export function Waterfall(props: Props) {
  const { of } = props
  if (!of.steps.length) return <p class="small muted"><b>{of.title}</b>: {of.note}</p>
  return <Steps {...props} />
}

function Steps({ of, a, b, id }: Props) {
  let sum = of.from.value
  const starts = of.steps.map(s => { const from = sum; sum += s.delta.value; return from })
  const ends = starts.map((s, i) => s + of.steps[i]!.delta.value)
  const low = Math.min(0, ...starts, ...ends, of.to.value), high = Math.max(of.from.value, of.to.value, ...starts, ...ends) || 1
  const at = (v: number) => 100 * (v - low) / (high - low)
  const hatch = id + '-hatch'
  const bar = (from: number, to: number, fill: string, dashed = false) => (
    <svg aria-hidden="true">
      {dashed && <defs><pattern id={hatch} width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="7" height="7" style={{ fill: 'var(--well)' }} /><rect width="2.5" height="7" style={{ fill: 'var(--muted)' }} /></pattern></defs>}
      <rect x={at(Math.min(from, to)) + '%'} width={Math.max(0.3, Math.abs(at(to) - at(from))) + '%'} y="8" height="18" rx="2" fill={dashed ? `url(#${hatch})` : undefined} style={dashed ? undefined : { fill }} />
      <line x1={at(to) + '%'} x2={at(to) + '%'} y1="8" y2="42" style={{ stroke: 'var(--line-strong)' }} />
    </svg>
  )
  return (
    <div>
      <table class="waterfall" data-test={'waterfall-' + id} aria-label={of.title}>
        <thead><tr><th scope="col">{of.title}</th><th scope="col" class="number">change</th><th scope="col" class="number">of {a}</th><th scope="col" aria-hidden="true"></th></tr></thead>
        <tbody>
          <tr class="total"><td class="name">{a}</td><td class="number">{of.from.text}</td><td /><td class="bar">{bar(0, of.from.value, 'var(--a)')}</td></tr>
          {of.steps.map((s, i) => (
            <tr key={i}>
              <td class="name"><Name step={s} /></td>
              <td class="number">{s.delta.text}</td>
              <td class="number">{s.share}{s.interval && <small>{s.interval}</small>}</td>
              <td class="bar">{bar(starts[i]!, ends[i]!, s.delta.value > 0 ? 'var(--worse)' : 'var(--better)', s.kind === 'unexplained')}</td>
            </tr>
          ))}
          <tr class="total"><td class="name">{b}</td><td class="number">{of.to.text}</td><td /><td class="bar">{bar(0, of.to.value, 'var(--b)')}</td></tr>
        </tbody>
      </table>
      {of.note && <p class="small muted">{of.note}</p>}
    </div>
  )
}

function Name({ step }: { step: WaterfallStep }) {
  const { place } = step
  const said = !place?.short || step.name.includes(place.short + (place.line ? ':' + place.line : ''))
  return <>{step.name}{!said && <small><PlaceText place={place} /></small>}</>
}
