// A series by run: values with their intervals, the points at which they changed for good, and the pinned baseline.

import { useMemo, useState } from 'preact/hooks'
import uPlot from 'uplot'
import type { MeasureName, TrendPoint, TrendSeries } from '../../model'
import { Chart } from '../../components/chart'
import { Legend, type Item } from '../../components/legend'
import { narrow } from '../../components/narrow'
import { Plot } from '../../components/plot'
import { Sign } from '../../components/statement'
import { DataTable } from '../../components/table'
import { moment, quantity } from '../../format/units'
import { go, href } from '../../router'
import { colour } from '../../theme'
import { commit } from './words'

/** mostDrawn is how many runs a chart has: of more the newest. */
const mostDrawn = 2000

/** Trend draws one series. A click on a run opens it. */
export function Trend({ id, of, measure }: { id: string, of: TrendSeries, measure: MeasureName }) {
  const [at, setAt] = useState<number | null>(null)
  const skipped = Math.max(0, of.points.length - mostDrawn)
  const points = useMemo(() => of.points.slice(skipped), [of])
  const data = useMemo(() => [
    points.map((_, i) => i),
    points.map(p => p.counts ? p.value : null),
    points.map(p => p.counts && p.high ? p.high : null),
    points.map(p => p.counts && p.low ? p.low : null),
    points.map(p => p.counts ? null : p.value),
    points.map(p => p.counts && p.disturbed ? p.value : null),
  ] as uPlot.AlignedData, [points])
  const p = at === null ? null : points[at] ?? null
  const open = (i: number) => { const r = points[i]; if (r) go(href(['runs', r.run])) }
  const items: Item[] = [{ key: 'value', name: measure.name, shape: 'dot', colour: '--a' }, { key: 'interval', name: '95 % interval', shape: 'line', colour: '--a' }]
  if (points.some(q => !q.counts && q.value !== null)) items.push({ key: 'invalid', name: 'does not count: invalid or partial', shape: 'hollow', colour: '--muted' })
  if (points.some(q => q.disturbed)) items.push({ key: 'disturbed', name: 'disturbed, among the newest 50', shape: 'hollow', colour: '--warning' })
  if (of.changes?.length) items.push({ key: 'change', name: 'changed for good', shape: 'line', colour: '--b' })
  if (of.baseline) items.push({ key: 'baseline', name: `baseline ${of.baseline.name}: ${of.baseline.text}`, shape: 'dash', colour: '--d' })
  return (
    <>
      <Chart id={id} legend={<Legend items={items} />} data={() => <PointTable of={points} name={measure.name} />}>
        <Plot height={230} data={data} onIndex={setAt} onPick={open}
          summary={`${measure.name} of ${points.length} runs, from ${points[0]?.text} to ${points[points.length - 1]?.text}`}
          lines={[
            { name: measure.name, colour: '--a', line: false, points: 'filled' },
            { name: 'high', colour: '--a', line: false }, { name: 'low', colour: '--a', line: false },
            { name: 'does not count', colour: '--muted', line: false, points: 'hollow' },
            { name: 'disturbed', colour: '--warning', line: false, points: 'hollow' },
          ]}
          x={{ text: i => tick(points, Math.round(i)), ticks: (low, high) => places(low, high, points.length) }}
          y={{ text: v => quantity(v, of.unit), range: yRange(points, of) }}
          over={u => { intervals(u, points); marks(u, of, skipped) }} />
      </Chart>
      <p class="small reading" aria-live="polite">{p ? reading(p) : '\u00a0'}</p>
      {!!of.changes?.length && (
        <ul class="lines" data-test="changes">{of.changes.map((c, i) => {
          const run = of.points[c.point]
          return <li key={i}><Sign tone={c.tone} /> {c.text} {run && <a href={href(['runs', run.run])}>{commit(run)}, {moment(run.started)}</a>}</li>
        })}</ul>
      )}
    </>
  )
}

/** leastSpan is the part of the middle value that an axis spans at least, to either side: so a change of a few percent is no cliff. */
const leastSpan = 0.25

/** yRange spans the values with their intervals, and at least a quarter of their middle to either side. */
function yRange(points: TrendPoint[], of: TrendSeries): [number, number] {
  const all = points.flatMap(p => p.value === null ? [] : p.counts && p.high ? [p.value, p.low ?? p.value, p.high] : [p.value])
  if (of.baseline) all.push(of.baseline.value)
  const low = Math.min(...all), high = Math.max(...all), middle = (low + high) / 2
  const half = Math.max(1.1 * (high - low) / 2, leastSpan * Math.abs(middle)) || 1
  return [low >= 0 ? Math.max(0, middle - half) : middle - half, middle + half]
}

/** every is the distance of ticks: there are at most eight, in a narrow window four. */
const every = (n: number) => Math.max(1, Math.ceil(n / (narrow.value ? 4 : 8)))

/** places are the runs that have a tick. */
function places(low: number, high: number, n: number): number[] {
  const all: number[] = []
  for (let i = 0; i < n; i += every(n)) if (i >= low && i <= high) all.push(i)
  return all
}

/** tick names the commit of a run, unless the tick before has the same one. */
function tick(points: TrendPoint[], i: number): string {
  const name = commit(points[i])
  return name === commit(points[i - every(points.length)]) ? '' : name
}

function reading(p: TrendPoint): string {
  return [commit(p), moment(p.started), p.text, p.change && `${p.change} from run ${p.change_from}, measured together`, p.against_baseline && `${p.against_baseline} against the baseline`, p.status, p.disturbed && 'disturbed'].filter(Boolean).join(' · ')
}

/** intervals draws the interval of each run. No line joins two runs: what was not measured together is not drawn as a change. */
function intervals(u: uPlot, points: TrendPoint[]): void {
  const { ctx } = u
  ctx.save()
  ctx.strokeStyle = colour('--a')
  ctx.lineWidth = devicePixelRatio
  points.forEach((p, i) => {
    if (!p.counts || !p.high) return
    const x = u.valToPos(i, 'x', true)
    ctx.beginPath()
    ctx.moveTo(x, u.valToPos(p.low ?? 0, 'y', true))
    ctx.lineTo(x, u.valToPos(p.high, 'y', true))
    ctx.stroke()
  })
  ctx.restore()
}

function marks(u: uPlot, of: TrendSeries, skipped: number): void {
  const { ctx, bbox } = u
  const line = (x1: number, y1: number, x2: number, y2: number) => { ctx.beginPath(); ctx.moveTo(x1, y1); ctx.lineTo(x2, y2); ctx.stroke() }
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  ctx.lineWidth = 2 * devicePixelRatio
  const steps = (of.changes ?? []).filter(c => c.point >= skipped)
  steps.forEach((c, i) => {
    ctx.strokeStyle = colour('--b')
    const x = u.valToPos(c.point - skipped - 0.5, 'x', true)
    ctx.setLineDash([])
    line(x, bbox.top, x, bbox.top + bbox.height)
    const from = i > 0 ? u.valToPos(steps[i - 1]!.point - skipped - 0.5, 'x', true) : bbox.left
    const to = i + 1 < steps.length ? u.valToPos(steps[i + 1]!.point - skipped - 0.5, 'x', true) : bbox.left + bbox.width
    ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio])
    line(from, u.valToPos(c.before, 'y', true), x, u.valToPos(c.before, 'y', true))
    line(x, u.valToPos(c.after, 'y', true), to, u.valToPos(c.after, 'y', true))
  })
  if (of.baseline) {
    ctx.strokeStyle = colour('--d')
    ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio])
    const y = u.valToPos(of.baseline.value, 'y', true)
    line(bbox.left, y, bbox.left + bbox.width, y)
  }
  ctx.restore()
}

function PointTable({ of, name }: { of: TrendPoint[], name: string }) {
  return (
    <DataTable name={name} rows={of} columns={[
      { name: 'run', text: p => p.run, show: p => <a href={href(['runs', p.run])}>{p.run}</a> },
      { name: 'started', text: p => moment(p.started), value: p => p.started },
      { name: 'commit', text: p => commit(p) },
      { name, number: true, text: p => p.text, value: p => p.value ?? -1 },
      { name: 'from the run measured with it', number: true, text: p => p.change ?? '' },
      { name: 'status', text: p => p.disturbed ? p.status + ', disturbed' : p.status },
    ]} />
  )
}
