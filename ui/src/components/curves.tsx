// Latency by percentile: both axes logarithmic, so that the tail has as much room as the middle.

import { useMemo, useState } from 'preact/hooks'
import uPlot from 'uplot'
import type { Curve } from '../model'
import { logTicks, quantity } from '../format/units'
import { Chart } from './chart'
import { Legend } from './legend'
import { Plot } from './plot'
import { DataTable } from './table'
import { Scroll } from './scroll'

const colours = ['--a', '--b', '--c', '--d']
const marks = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999]

/** position is where a percentile is drawn: each further nine takes as much room. */
const position = (p: number) => -Math.log10(1 - Math.min(p, 99.99999) / 100)
const percentile = (x: number) => 100 * (1 - 10 ** -x)

function name(p: number): string {
  const digits = p < 90 ? 0 : p < 99 ? 1 : p < 99.9 ? 2 : p < 99.99 ? 3 : 4
  return 'p' + Number(p.toFixed(digits))
}

interface Props {
  curves: Curve[]
  /** names are those of the legend: the letters of variants, say. */
  names: string[]
  id: string
}

/** Curves draws latency distributions over each other. */
export function Curves({ curves, names, id }: Props) {
  const [at, setAt] = useState<number | null>(null)
  const data = useMemo(() => joined(curves), [curves])
  const lines = curves.map((_, i) => ({ name: names[i]!, colour: colours[i % 4]!, dash: i === 1 ? [8, 3] : undefined, width: 2.2 }))
  const read = (i: number) => at === null ? undefined : (v => v == null ? '–' : quantity(v, 'ns'))(data[i + 1]![at])
  const high = data[0][data[0].length - 1] ?? 1
  const p = at === null ? null : percentile(data[0][at]!)
  return (
    <Chart id={id}
      legend={<>
        <Legend items={lines.map((l, i) => ({ key: l.name + i, name: l.name, shape: i === 1 ? 'dash' : 'line', colour: l.colour, value: read(i) }))} />
        <span class="muted">{p === null ? '' : name(p)}</span>
      </>}
      data={() => <CurveTable curves={curves} names={names} />}>
      <Plot height={300} data={data} lines={lines} onIndex={setAt} summary={summary(curves, names)}
        x={{ text: v => 'p' + Number(percentile(v).toFixed(5)), ticks: (_l, h) => marks.map(position).filter(v => v <= h + 1e-9), range: [0, high] }}
        y={{ text: v => quantity(v, 'ns'), log: true, ticks: (l, h) => logTicks(l, h) }} />
    </Chart>
  )
}

/** joined puts curves on common percentiles; between its own points a curve is a straight line. */
function joined(curves: Curve[]): uPlot.AlignedData {
  const all = [...new Set(curves.flatMap(c => c.percentiles.map(position)))].sort((a, b) => a - b)
  return [all, ...curves.map(c => {
    const xs = c.percentiles.map(position)
    let i = 0
    return all.map(x => {
      if (!xs.length || x < xs[0]! || x > xs[xs.length - 1]!) return null
      while (i < xs.length - 2 && xs[i + 1]! < x) i++
      const x0 = xs[i]!, x1 = xs[i + 1] ?? x0, y0 = c.ns[i]!, y1 = c.ns[i + 1] ?? y0
      const y = x1 > x0 ? y0 + (y1 - y0) * (x - x0) / (x1 - x0) : y0
      return y > 0 ? y : null
    })
  })] as uPlot.AlignedData
}

function summary(curves: Curve[], names: string[]): string {
  const each = curves.map((c, i) => `${names[i]}: ${c.marks.map(m => `${m.name} ${m.text}`).join(', ')}`)
  return `Latency by percentile. ${each.join('. ')}`
}

function CurveTable({ curves, names }: { curves: Curve[], names: string[] }) {
  const rows = [...new Set(curves.flatMap(c => c.marks.map(m => m.name)))]
  const cell = (c: Curve, row: string) => c.marks.find(m => m.name === row)
  return <DataTable name="Latency by percentile" rows={rows} columns={[
    { name: 'percentile', text: r => r, value: r => Number(r.replace(/[^0-9.]/g, '')) || 0 },
    ...curves.map((c, i) => ({ name: names[i]!, number: true, text: (r: string) => cell(c, r)?.text ?? '', value: (r: string) => cell(c, r)?.ns ?? 0 })),
  ]} />
}

/** CurveMarks is the table of percentiles that stands open below the curves: a row for each. */
export function CurveMarks({ curves, names }: { curves: Curve[], names: string[] }) {
  const marks = [...new Set(curves.flatMap(c => c.marks.map(m => m.name)))]
  if (!marks.length) return null
  return (
    <Scroll name="Percentiles">
      <table class="data marks" aria-label="Percentiles" data-test="percentiles">
        <thead><tr><th scope="col">{curves[0]!.loop}</th>{marks.map(m => <th key={m} scope="col" class="number">{m}</th>)}<th scope="col" class="number">answers</th></tr></thead>
        <tbody>{curves.map((c, i) => (
          <tr key={i}>
            <th scope="row">{names[i]}</th>
            {marks.map(m => <td key={m} class="number">{c.marks.find(x => x.name === m)?.text ?? '–'}</td>)}
            <td class="number">{c.count.toLocaleString('en-US')}</td>
          </tr>
        ))}</tbody>
      </table>
    </Scroll>
  )
}
