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

interface Cell { area: string, name: (of: History) => string, width: string, there?: (p: TrendPoint) => unknown }

/** cells are the areas of a row, in style/history.css: in a narrow window a row has two lines. A column that would be empty is left out. */
const cells: Cell[] = [
  { area: 'pick', name: () => 'chosen', width: '28px' }, { area: 'when', name: () => 'started', width: '138px' },
  { area: 'run', name: () => 'run', width: '80px' }, { area: 'what', name: () => 'variant', width: 'minmax(160px, 2fr)' },
  { area: 'commit', name: () => 'commit', width: '84px', there: p => p.commit }, { area: 'value', name: of => of.measure.name, width: 'minmax(124px, 1fr)', there: p => p.text },
  { area: 'change', name: () => 'vs its pair', width: '92px', there: p => p.change }, { area: 'base', name: () => 'vs baseline', width: '92px', there: p => p.against_baseline },
  { area: 'status', name: () => 'status', width: '88px' },
]

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
  const columns = cells.filter(c => !c.there || rows.some(r => c.there!(r.point)))
  const wide = `"${columns.map(c => c.area).join(' ')}" 32px / ${columns.map(c => c.width).join(' ')}`, has = (area: string) => columns.some(c => c.area === area)
  return (
    <div data-test="runs" style={{ '--row': wide }}>
      <div class="table-tools">
        {a && b
          ? <>
            <a class="button main" href={href(['stored', a, b])} data-test="compare-picked">Compare {a} with {b}</a>
            <a class="button" href={href(['diff', a, b, 'cpu'])} data-test="diff-picked">Difference of their CPU profiles</a>
          </>
          : <span class="muted small">{picked.length === 1 ? `${picked[0]} is chosen; choose one more.` : 'None is chosen.'}</span>}
        <span class="count small muted" role="status">{rows.length < of.runs ? `${rows.length.toLocaleString('en-US')} of ${of.runs.toLocaleString('en-US')} runs: the newest that pass the filters` : `${rows.length.toLocaleString('en-US')} runs`}</span>
      </div>
      <div class="virtual" ref={box} style={{ maxHeight: window + 'px' }} tabIndex={0} role="grid" aria-label="Runs" aria-rowcount={rows.length + 1}
        onScroll={e => setTop(e.currentTarget.scrollTop)} onKeyDown={move}>
        <div role="row" class="head">
          {columns.map((c, i) => <span key={c.area} role="columnheader" class={c.area} title={c.area === 'change' ? 'against the run that was measured with it' : undefined}>{i ? c.name(of) : <span class="hidden-text">{c.name(of)}</span>}</span>)}
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
                {has('commit') && <span role="cell" class={'commit mono' + (r.same ? ' muted' : '')}>{p.commit ? commit(p) : ''}</span>}
                {has('value') && <span role="cell" class="value">{p.text}</span>}
                {has('change') && <span role="cell" class="change">{p.change}</span>}
                {has('base') && <span role="cell" class="base">{p.against_baseline}</span>}
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
