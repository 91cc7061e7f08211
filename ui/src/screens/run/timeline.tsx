// What happened during the load: a panel for each quantity, with one pointer for all, and marks of what may explain a change.

import { useMemo, useState } from 'preact/hooks'
import uPlot from 'uplot'
import type { Timeline as Data, TimelineMark, TimeSeries } from '../../model'
import { linearTicks, logTicks, quantity, seconds } from '../../format/units'
import { Chart } from '../../components/chart'
import { Legend, type Item } from '../../components/legend'
import { Plot, type Line } from '../../components/plot'
import { DataTable } from '../../components/table'
import { colour } from '../../theme'

const titles: Record<string, string> = {
  rate: 'Requests', errors: 'Errors', cpu: 'CPU', memory: 'Memory', heap: 'Heap', latency: 'Latency', goroutines: 'Goroutines',
}
const order = ['rate', 'latency', 'errors', 'cpu', 'memory', 'heap', 'goroutines']
const markItems: Record<string, Item> = {
  gc: { key: 'gc', name: 'collection', shape: 'tick', colour: '--d' },
  error: { key: 'error', name: 'error', shape: 'tick', colour: '--worse' },
  disturbed: { key: 'disturbed', name: 'disturbed', shape: 'area', colour: '--disturbed' },
  start: { key: 'start', name: 'fresh start', shape: 'dash', colour: '--line-strong' },
}
const colours = ['--a', '--b', '--c', '--d']
// Parts of memory have the colours of the parts of a request's time, which lightness tells apart, too.
const partColours: Record<string, string> = {
  'live heap': '--state-running', 'garbage': '--state-lock', 'free spans kept': '--state-channel',
  'fragmentation in spans': '--state-network', 'goroutine stacks': '--state-syscall', 'runtime structures': '--state-collector',
  'binary, files, shared memory': '--state-wire',
}

/** Timeline draws the panels. */
export function Timeline({ of }: { of: Data }) {
  const [at, setAt] = useState<number | null>(null)
  const [off, setOff] = useState<ReadonlySet<string>>(new Set())
  const marks = of.marks ?? []
  const kinds = Object.keys(markItems).filter(k => marks.some(m => m.kind === k))
  const groups = [...new Set(of.series.map(s => s.group))].sort((a, b) => rank(a) - rank(b))
  const toggle = (k: string) => { const s = new Set(off); if (!s.delete(k)) s.add(k); setOff(s) }
  const shown = marks.filter(m => !off.has(m.kind))
  const range = useMemo<[number, number]>(() => ends(of), [of])
  return (
    <Chart id="timeline"
      legend={<>
        {kinds.length > 0 && <Legend items={kinds.map(k => markItems[k]!)} off={off} toggle={toggle} />}
        <span class="muted" style={{ minWidth: '5em' }}>{at === null ? '' : `at ${seconds(of.seconds[at]!)}`}</span>
      </>}
      data={() => <TimelineTable of={of} />}>
      {groups.map((g, i) => <Panel key={g} of={of} group={g} at={at} setAt={setAt} marks={shown} last={i === groups.length - 1} range={range} off={off} />)}
    </Chart>
  )
}

const rank = (g: string) => (order.indexOf(g) + 1) || 99

function ends(of: Data): [number, number] {
  const s = of.seconds, half = s.length > 1 ? (s[1]! - s[0]!) / 2 : 0.5
  return [Math.max(0, (s[0] ?? 0) - half), (s[s.length - 1] ?? 1) + half]
}

interface PanelProps {
  of: Data, group: string, at: number | null, setAt: (i: number | null) => void, marks: TimelineMark[], last: boolean
  range: [number, number], off: ReadonlySet<string>
}

function Panel({ of, group, at, setAt, marks, last, range, off }: PanelProps) {
  const series = of.series.filter(s => s.group === group)
  const unit = series[0]!.unit
  const log = group === 'latency'
  const title = titles[group] ?? group.charAt(0).toUpperCase() + group.slice(1)
  const drawn = useMemo(() => layers(series, group), [of, group])
  const data = useMemo(() => [of.seconds, ...drawn.map(d => log ? d.values.map(v => v && v > 0 ? v : null) : d.values)] as uPlot.AlignedData, [drawn, off])
  const items = series.map((s): Item => {
    const { line, shape } = drawn.find(d => d.line.name === s.name)!, v = s.values[at ?? -1]
    return { key: s.name, name: s.name, shape, colour: line.fill && shape === 'area' ? line.fill : line.colour, value: at === null ? undefined : v == null ? '–' : quantity(v, s.unit) }
  })
  const stacked = series.some(s => s.stacked)
  return (
    <div data-test={'panel-' + group}>
      <div class="panel-name"><b>{title}</b><Legend items={named(items, title)} /></div>
      <Plot height={(stacked ? 170 : 108) + (last ? 28 : 0)} data={data} lines={drawn.map(d => d.line)} sync="timeline" onIndex={setAt}
        summary={`${title} over time: ${series.map(s => extremes(s.name, s.values, s.unit)).join('; ')}`}
        x={{ text: seconds, range, hidden: !last }} y={{ text: v => quantity(v, unit), log, zero: !log, ticks: (l, h) => log ? logTicks(l, h, 5) : linearTicks(l, h, 3) }}
        under={u => drawMarks(u, marks)} />
    </div>
  )
}

/** Layer is a series as it is drawn: of a stacked one the values are the upper edge of its area. */
interface Layer { line: Line, shape: Item['shape'], values: (number | null)[] }

/** layers are those of a panel in the order in which they are drawn: an area covers the lower part of the one before. */
function layers(series: TimeSeries[], group: string): Layer[] {
  const areas: Layer[] = []
  let below: (number | null)[] = []
  for (const s of series.filter(s => s.stacked)) {
    below = s.values.map((v, i) => v === null ? null : v + (below[i] ?? 0))
    areas.unshift({ line: { name: s.name, colour: '--page', width: 1, fill: partColours[s.name] ?? '--state-sleep' }, shape: 'area', values: below })
  }
  const lines = series.filter(s => !s.stacked)
  return [...areas, ...lines.map((s, i): Layer => ({
    line: {
      name: s.name, colour: group === 'errors' ? '--worse' : areas.length ? '--text' : colours[i % 4]!, width: 1.6, dash: i === 1 ? [6, 3] : undefined,
      fill: series.length === 1 && group !== 'errors' ? '--a-soft' : undefined,
    },
    shape: i === 1 ? 'dash' : 'line', values: s.values,
  }))]
}

/** named are the items of a panel's legend; the only one of the panel's own name needs none, but for its value. */
function named(items: Item[], title: string): Item[] {
  if (items.length !== 1 || items[0]!.name.toLowerCase() !== title.toLowerCase()) return items
  return items[0]!.value === undefined ? [] : [{ ...items[0]!, name: '' }]
}

function extremes(name: string, values: (number | null)[], unit: string): string {
  const all = values.filter((v): v is number => v !== null)
  if (!all.length) return `${name}: not observed`
  return `${name} from ${quantity(Math.min(...all), unit)} to ${quantity(Math.max(...all), unit)}`
}

/** drawMarks leaves the data visible: what lasts is a band behind them, a moment a tick below the plot. */
function drawMarks(u: uPlot, marks: TimelineMark[]): void {
  const { ctx, bbox } = u, bottom = bbox.top + bbox.height
  const at = (seconds: number) => Math.max(bbox.left, Math.min(bbox.left + bbox.width, Math.round(u.valToPos(seconds, 'x', true))))
  ctx.save()
  for (const m of marks) {
    const x = at(m.seconds)
    ctx.fillStyle = colour(markItems[m.kind]?.colour ?? '--line-strong')
    if (m.until) ctx.fillRect(x, bbox.top, Math.max(2 * devicePixelRatio, at(m.until) - x), bbox.height)
    else if (m.kind === 'start') for (let y = bbox.top; y < bottom; y += 6 * devicePixelRatio) ctx.fillRect(x, y, devicePixelRatio, 3 * devicePixelRatio)
    else ctx.fillRect(x, bottom + devicePixelRatio, 1.5 * devicePixelRatio, 5 * devicePixelRatio)
  }
  ctx.restore()
}

function TimelineTable({ of }: { of: Data }) {
  const rows = of.seconds.map((s, i) => ({ s, i }))
  return (
    <>
      <DataTable name="Timeline" rows={rows} columns={[
        { name: 'time', number: true, text: r => seconds(r.s), value: r => r.s },
        ...of.series.map(s => ({ name: s.name, number: true, text: (r: { i: number }) => { const v = s.values[r.i]; return v == null ? '' : quantity(v, s.unit) }, value: (r: { i: number }) => s.values[r.i] ?? -1 })),
      ]} />
      {!!of.marks?.length && <DataTable name="Marks" rows={of.marks} columns={[
        { name: 'time', number: true, text: m => seconds(m.seconds), value: m => m.seconds },
        { name: 'mark', text: m => markItems[m.kind]?.name ?? m.kind },
        { name: 'what', text: m => m.text },
      ]} />}
    </>
  )
}
