// The measures of a contest: both values, and the change with its interval against the tolerance, one below the other.

import { useState } from 'preact/hooks'
import type { Contest, MeasureRow, Variant } from '../../model'
import { percent } from '../../format/units'
import { Sign } from '../../components/statement'

interface Props { contest: Contest, variants: Variant[], bench: boolean }

/** scale maps a change to 0..100 %. Ratios are symmetric: half is as far to the left as twice is to the right. */
interface Scale { at: (change: number) => number, ticks: number[], limit: number }

const nice = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 4, 9, 19, 49]

function scaleOf(rows: MeasureRow[], tolerance: number): Scale {
  const t = Math.log1p(tolerance > 0 ? tolerance : 0.01)
  const ratio = (v: number) => Math.abs(Math.log(Math.max(1 + v, 0.02)))
  const ends = rows.flatMap(r => r.bounded ? [r.low, r.high, r.change.value] : [r.change.value]).filter(Number.isFinite).map(ratio)
  const limit = Math.min(Math.max(2.2 * t, ...ends.map(e => e * 1.12)), Math.log(50))
  const bend = (u: number) => Math.asinh(u / (1.5 * t))
  const far = bend(limit)
  const at = (v: number) => {
    const u = 1 + v > 0 ? Math.log(1 + v) : -1e9
    return 50 + 50 * Math.max(-1.5, Math.min(1.5, bend(u) / far))
  }
  // ticks at round changes, mirrored, with some room between them
  const ticks = [0]
  let last = 50
  for (const n of nice) {
    const x = at(n)
    if (x - last >= 13 && x <= 101) { ticks.push(n); last = x }
  }
  last = 50
  for (const n of nice.concat(0.75, 0.9, 0.95, 0.98).filter(n => n < 1).sort((a, b) => a - b)) {
    const x = at(-n)
    if (last - x >= 13 && x >= -1) { ticks.push(-n); last = x }
  }
  return { at, ticks, limit }
}

/** Measures is the table and the plot in one. */
export function Measures({ contest, variants, bench }: Props) {
  const [query, setQuery] = useState('')
  const rows = contest.measures.filter(r => r.name.toLowerCase().includes(query.toLowerCase()))
  const scale = scaleOf(contest.measures, contest.tolerance)
  const a = variants[contest.a]?.letter ?? 'A', b = variants[contest.b]?.letter ?? 'B'
  const notes = notesOf(contest.measures)
  return (
    <div data-test="measures">
      {contest.measures.length > 12 && (
        <div class="table-tools">
          <input class="field" type="search" placeholder="Search" aria-label="Search measures" value={query} onInput={e => setQuery(e.currentTarget.value)} />
          <span class="count small muted" role="status">{rows.length} of {contest.measures.length}</span>
        </div>
      )}
      <table class="measures" aria-label={`${b} against ${a}`}>
        <thead>
          <tr>
            <th scope="col" class="name">{bench ? 'benchmark' : 'measure'}</th>
            <th scope="col" class="number">{a}</th>
            <th scope="col" class="number">{b}</th>
            <th scope="col" class="plot"><Axis scale={scale} tolerance={contest.tolerance} /></th>
            <th scope="col" class="number change">change</th>
            <th scope="col" class="word">{b} is</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((r, i) => [
            r.group && r.group !== rows[i - 1]?.group && <tr key={r.group} class="group"><th scope="colgroup" colSpan={6}>{r.group}{r.better && <small> {r.better} is better</small>}</th></tr>,
            <tr key={r.key + i} class={r.gated && !bench ? 'gated' : undefined} data-test={'measure-' + r.key}>
              <td class="name">{r.benchmark ?? r.name}{r.better && !r.group && <small>{r.better} is better{r.gated ? ' · decides' : ''}</small>}</td>
              <td class="number side" data-side={a}>{r.a.text}</td>
              <td class="number side" data-side={b}>{r.b.text}</td>
              <td class="plot"><Interval row={r} scale={scale} tolerance={contest.tolerance} /></td>
              <td class="number change"><b>{r.change.text}</b><small>{r.interval}</small></td>
              <td class="word"><span class={'tone-' + r.tone} title={r.note}><Sign tone={r.tone} up={r.better === 'higher'} /> {r.word}</span></td>
            </tr>,
          ])}
        </tbody>
      </table>
      {contest.shared && <p class="small muted" data-test="shared">{contest.shared}.</p>}
      {notes.length > 0 && (
        <details class="fold">
          <summary>How the verdicts come about</summary>
          <ul class="lines small muted">{notes.map(n => <li key={n}>{n}</li>)}</ul>
        </details>
      )}
    </div>
  )
}

/** notesOf are the notes below the table: one that several measures have is said once. */
function notesOf(rows: MeasureRow[]): string[] {
  const names = new Map<string, string[]>()
  for (const r of rows) if (r.note) names.set(r.note, [...names.get(r.note) ?? [], r.name])
  return [...names].map(([note, of]) => of.length === rows.length && rows.length > 1 ? note : `${of.join(', ')}: ${note}`)
}

function Axis({ scale, tolerance }: { scale: Scale, tolerance: number }) {
  return (
    <svg height="20" aria-label={`change from A to B; the band is the tolerance of ±${percent(tolerance).replace('+', '')}`}>
      {scale.ticks.map(t => (
        <text key={t} x={scale.at(t) + '%'} y="15" text-anchor="middle" font-size="11.5" style={{ fill: 'var(--muted)' }}>{t === 0 ? '0' : percent(t)}</text>
      ))}
    </svg>
  )
}

function Interval({ row, scale, tolerance }: { row: MeasureRow, scale: Scale, tolerance: number }) {
  const middle = 22
  const from = scale.at(-tolerance), to = scale.at(tolerance)
  const clip = (x: number) => Math.max(0, Math.min(100, x))
  const x = scale.at(row.change.value)
  const low = row.bounded ? scale.at(row.low) : x, high = row.bounded ? scale.at(row.high) : x
  const decided = row.tone === 'better' || row.tone === 'worse'
  const c = row.tone === 'better' ? 'var(--better)' : row.tone === 'worse' ? 'var(--worse)' : 'var(--muted)'
  return (
    <svg role="img" aria-label={`${row.name}: ${row.change.text} ${row.interval}`}>
      {tolerance > 0 && <rect x={from + '%'} width={to - from + '%'} y="0" height="44" style={{ fill: 'var(--tolerance)' }} />}
      {scale.ticks.map(t => <line key={t} x1={scale.at(t) + '%'} x2={scale.at(t) + '%'} y1="0" y2="44" style={{ stroke: t === 0 ? 'var(--line-strong)' : 'var(--grid)' }} />)}
      {row.bounded && low < 100 && high > 0 && <line x1={clip(low) + '%'} x2={clip(high) + '%'} y1={middle} y2={middle} stroke-width="4" stroke-linecap="round" style={{ stroke: c }} opacity={decided ? 1 : 0.75} />}
      {x >= 0 && x <= 100 && (
        <svg x={x + '%'} y={middle} overflow="visible">
          {row.bounded ? <circle r="6" style={{ fill: c, stroke: 'var(--page)' }} stroke-width="2" /> : <circle r="5" fill="none" style={{ stroke: c }} stroke-width="2" />}
        </svg>
      )}
      {(x < 0 || low < 0) && <svg x="0" y={middle} overflow="visible"><path d="M-7 0L2-6V6Z" style={{ fill: c }} /></svg>}
      {(x > 100 || high > 100) && <svg x="100%" y={middle} overflow="visible"><path d="M7 0L-2-6V6Z" style={{ fill: c }} /></svg>}
    </svg>
  )
}
