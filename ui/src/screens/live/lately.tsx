// The last minutes of a measurement as two small charts: the rate, and the p99 latency.

import { useMemo } from 'preact/hooks'
import uPlot from 'uplot'
import type { Live, LivePoint } from '../../model'
import { Chart } from '../../components/chart'
import { Legend } from '../../components/legend'
import { Plot } from '../../components/plot'
import { DataTable } from '../../components/table'
import { quantity, seconds } from '../../format/units'

/** Lately draws what the file of the measurement tells of its past; nothing before the first second of load. */
export function Lately({ of }: { of: Live }) {
  const points = of.past ?? []
  const rate = useMemo(() => [points.map(p => p.seconds), points.map(p => p.rate)] as uPlot.AlignedData, [points])
  const p99 = useMemo(() => [points.map(p => p.seconds), points.map(p => p.p99_ns > 0 ? p.p99_ns : null)] as uPlot.AlignedData, [points])
  if (points.length < 2) return null
  return (
    <Chart id={'lately-' + of.key}
      legend={<Legend items={[{ key: 'rate', name: 'answers per second', shape: 'line', colour: '--a' }, { key: 'p99', name: 'p99 latency', shape: 'dash', colour: '--b' }]} />}
      data={() => <Table of={points} />}>
      <Plot height={110} data={rate} lines={[{ name: 'rate', colour: '--a', width: 1.6, fill: '--a-soft' }]} summary="Answers per second over the last minutes"
        x={{ text: seconds, hidden: true }} y={{ text: v => quantity(v, '1/s'), zero: true }} sync={of.key} />
      <Plot height={130} data={p99} lines={[{ name: 'p99', colour: '--b', width: 1.6, dash: [6, 3] }]} summary="p99 latency over the last minutes"
        x={{ text: seconds }} y={{ text: v => quantity(v, 'ns'), zero: true }} sync={of.key} />
    </Chart>
  )
}

function Table({ of }: { of: LivePoint[] }) {
  return (
    <DataTable name="The last minutes" rows={of} columns={[
      { name: 'time', number: true, text: p => seconds(p.seconds), value: p => p.seconds },
      { name: 'variant', text: p => p.variant ?? '' },
      { name: 'answers per second', number: true, text: p => quantity(p.rate, '1/s'), value: p => p.rate },
      { name: 'p99', number: true, text: p => quantity(p.p99_ns, 'ns'), value: p => p.p99_ns },
      { name: 'errors', number: true, text: p => String(p.errors), value: p => p.errors },
    ]} />
  )
}
