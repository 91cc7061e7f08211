// All runs in a table that draws only what is in sight, since a ledger may have ten thousand of them.

import { useMemo, useRef, useState } from 'preact/hooks'
import type { History, TrendPoint, TrendSeries } from '../../model'
import { href, route, setParams } from '../../router'
import { moment } from '../../format/units'
import { commit } from './words'

interface Row { point: TrendPoint, series: TrendSeries }

const height = 33
const window = 540
const columns = '28px 138px 92px minmax(160px, 2fr) 96px minmax(120px, 1fr) 92px 92px 96px'

/** RunTable lists the runs of all series, the newest first. Two of them can be picked. */
export function RunTable({ of }: { of: History }) {
  const rows = useMemo(() => of.series
    .flatMap(series => series.points.map((point): Row => ({ point, series })))
    .sort((a, b) => b.point.started.localeCompare(a.point.started)), [of])
  const [top, setTop] = useState(0)
  const [focus, setFocus] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const picked = (route.value.params.get('pick') ?? '').split(',').filter(Boolean)
  const pick = (run: string) => {
    const next = picked.includes(run) ? picked.filter(p => p !== run) : [...picked, run].slice(-2)
    setParams({ pick: next.join(',') || undefined })
  }
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
        <div role="row" class="head" style={{ gridTemplateColumns: columns, height: height + 'px' }}>
          {['', 'started', 'run', 'variant', 'commit', of.measure.name, 'commit before', 'baseline', 'status'].map((name, i) => <span key={i} role="columnheader" class={i > 4 && i < 8 ? 'number' : undefined}>{name}</span>)}
        </div>
        <div class="body" style={{ height: rows.length * height + 'px' }}>
          {visible.map((r, k) => {
            const i = first + k, p = r.point, on = picked.includes(p.run)
            return (
              <div key={p.run} role="row" aria-rowindex={i + 2} aria-selected={on} data-test="run-row"
                class={[on && 'picked', !p.counts && 'invalid', i === focus && 'at'].filter(Boolean).join(' ')}
                style={{ top: i * height + 'px', height: height + 'px', gridTemplateColumns: columns }} onClick={() => setFocus(i)}>
                <span role="cell"><input type="checkbox" checked={on} tabIndex={-1} aria-label={`Choose ${p.run}`} onChange={() => pick(p.run)} /></span>
                <span role="cell">{moment(p.started)}</span>
                <span role="cell"><a class="mono" tabIndex={-1} href={href(['runs', p.run])}>{p.run}</a></span>
                <span role="cell" title={r.series.title}>{r.series.label || r.series.title}{p.baselines?.map(n => <span key={n} class="badge">baseline {n}</span>)}</span>
                <span role="cell" class="mono">{p.commit ? commit(p) : ''}</span>
                <span role="cell" class="number">{p.text}</span>
                <span role="cell" class="number">{p.change}</span>
                <span role="cell" class="number">{p.against_baseline}</span>
                <span role="cell">{p.status}</span>
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** older puts the older of two picked runs first. */
function older(picked: string[], rows: Row[]): string[] {
  if (picked.length < 2) return []
  const at = (run: string) => rows.findIndex(r => r.point.run === run)
  return [...picked].sort((x, y) => at(y) - at(x))
}
