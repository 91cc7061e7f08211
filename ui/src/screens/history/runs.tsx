// All runs in a table that draws only what is in sight, since a ledger may have ten thousand of them.

import { useMemo, useRef, useState } from 'preact/hooks'
import type { History, TrendPoint, TrendSeries } from '../../model'
import { narrow } from '../../components/narrow'
import { href, route, setParams } from '../../router'
import { moment } from '../../format/units'
import { commit } from './words'

/** Row is a run. same says that the run before it in its series is of the same commit. */
interface Row { point: TrendPoint, series: TrendSeries, same: boolean }

const window = 540

/** columns are the areas of a row, in style/history.css: in a narrow window a row has two lines. */
const columns = ['pick', 'when', 'run', 'what', 'commit', 'value', 'change', 'base', 'status']

/** RunTable lists the runs of all series, the newest first. Two of them can be picked. */
export function RunTable({ of }: { of: History }) {
  const rows = useMemo(() => of.series
    .flatMap(series => series.points.map((point, i): Row => ({ point, series, same: !!point.commit && point.commit === series.points[i - 1]?.commit })))
    .sort((a, b) => b.point.started.localeCompare(a.point.started)), [of])
  const [top, setTop] = useState(0)
  const [focus, setFocus] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const picked = (route.value.params.get('pick') ?? '').split(',').filter(Boolean)
  const pick = (run: string) => {
    const next = picked.includes(run) ? picked.filter(p => p !== run) : [...picked, run].slice(-2)
    setParams({ pick: next.join(',') || undefined })
  }
  const height = narrow.value ? 62 : 33
  const first = Math.max(0, Math.floor(top / height) - 8)
  const visible = rows.slice(first, first + Math.ceil(window / height) + 16)
  const move = (e: KeyboardEvent) => {
    const to = { ArrowDown: focus + 1, ArrowUp: focus - 1, PageDown: focus + 15, PageUp: focus - 15, Home: 0, End: rows.length - 1 }[e.key]
    if (e.key === ' ' && rows[focus]) { e.preventDefault(); pick(rows[focus].point.run); return }
    if (e.key === 'Enter' && rows[focus]) { location.hash = href(['runs', rows[focus].point.run]); return }
    if (to === undefined) return
    e.preventDefault()
    const i = Math.max(0, Math.min(rows.length - 1, to))
    setFocus(i)
    const b = box.current!
    if (i * height < b.scrollTop) b.scrollTop = i * height
    if ((i + 2) * height > b.scrollTop + window) b.scrollTop = (i + 2) * height - window
  }
  const [a, b] = older(picked, rows)
  return (
    <div data-test="runs">
      <div class="table-tools">
        {a && b
          ? <a class="button" href={href(['stored', a, b])} data-test="compare-picked">Compare {a} with {b}</a>
          : <span class="muted small">{picked.length === 1 ? `${picked[0]} is chosen; choose one more.` : 'None is chosen.'}</span>}
        <span class="count small muted" role="status">{rows.length < of.runs ? `${rows.length.toLocaleString('en-US')} of ${of.runs.toLocaleString('en-US')} runs: the newest that pass the filters` : `${rows.length.toLocaleString('en-US')} runs`}</span>
      </div>
      <div class="virtual" ref={box} style={{ maxHeight: window + 'px' }} tabIndex={0} role="grid" aria-label="Runs" aria-rowcount={rows.length + 1}
        onScroll={e => setTop(e.currentTarget.scrollTop)} onKeyDown={move}>
        <div role="row" class="head">
          {['chosen', 'started', 'run', 'variant', 'commit', of.measure.name, 'vs run measured with it', 'vs baseline', 'status'].map((name, i) => <span key={i} role="columnheader" class={columns[i]}>{i ? name : <span class="hidden-text">{name}</span>}</span>)}
        </div>
        <div class="body" style={{ height: rows.length * height + 'px' }}>
          {visible.map((r, k) => {
            const i = first + k, p = r.point, on = picked.includes(p.run)
            return (
              <div key={p.run} role="row" aria-rowindex={i + 2} aria-selected={on} data-test="run-row"
                class={[on && 'picked', !p.counts && 'invalid', i === focus && 'at'].filter(Boolean).join(' ')}
                style={{ top: i * height + 'px', height: height + 'px' }} onClick={() => setFocus(i)}>
                <span role="cell" class="pick"><input type="checkbox" checked={on} tabIndex={-1} aria-label={`Choose ${p.run}`} onChange={() => pick(p.run)} /></span>
                <span role="cell" class="when">{moment(p.started)}</span>
                <span role="cell" class="run"><a class="mono" tabIndex={-1} href={href(['runs', p.run])}>{p.run}</a></span>
                <span role="cell" class="what" title={r.series.title}>{p.disturbed && <Disturbed />}{p.baselines?.map(n => <span key={n} class="badge">baseline {n}</span>)} {r.series.name}</span>
                <span role="cell" class={'commit mono' + (r.same ? ' muted' : '')}>{p.commit ? commit(p) : ''}</span>
                <span role="cell" class="value">{p.text}</span>
                <span role="cell" class="change">{p.change}</span>
                <span role="cell" class="base">{p.against_baseline}</span>
                <span role="cell" class="status">{p.status}</span>
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** Disturbed marks a run that the machine disturbed. */
export function Disturbed() {
  return <span class="badge warning" title="The machine was busy with other work during most of the run">disturbed</span>
}

/** older puts the older of two picked runs first. */
function older(picked: string[], rows: Row[]): string[] {
  if (picked.length < 2) return []
  const at = (run: string) => rows.findIndex(r => r.point.run === run)
  return [...picked].sort((x, y) => at(y) - at(x))
}
