// What was measured, and when it changed: a measure by run, with filters that are in the address, and two runs to compare.

import type { History, TrendSeries } from '../../model'
import { Answer } from '../../components/answer'
import { CommandLine } from '../../components/command'
import { Section } from '../../components/section'
import { route } from '../../router'
import { Filters, filterNames } from './filters'
import { Newest } from './newest'
import { RunTable } from './runs'
import { Trend } from './trend'

/** HistoryScreen shows the ledger. */
export function HistoryScreen() {
  const query = new URLSearchParams()
  for (const name of filterNames) {
    const value = route.value.params.get(name)
    if (value) query.set(name, value)
  }
  const filtered = query.size > 0
  if (!query.has('number')) query.set('number', String(mostRuns))
  return (
    <Answer<History> path={'history?' + query.toString()} keep>{h => <Page of={h} filtered={filtered} />}</Answer>
  )
}

function Page({ of, filtered }: { of: History, filtered: boolean }) {
  document.title = 'History · hone'
  const empty = of.runs + of.comparisons === 0
  const series = of.series.filter(s => s.points.filter(p => p.value !== null).length > 1)
  return (
    <article data-test="history">
      <h1>History</h1>
      <p class="muted" role="status">{count(of.runs, 'run')}, {count(of.comparisons, 'comparison')} in the ledger</p>
      {empty ? <div class="commands first">
        <p>Nothing was measured yet. These commands measure:</p>
        <CommandLine line="hone demo" what="Three measurements of a service that comes with hone" />
        <CommandLine line="hone run ./cmd/server" what="Your service under load" />
      </div> : <>
        <Section id="newest" title="Newest measurements"><Newest of={of.newest} /></Section>
        <h2 class="over-time">Over time</h2>
        <Filters of={of} />
        {series.length === 0 && <p class="muted" data-test="no-chart">{of.series.some(s => s.points.length > 0)
          ? 'A chart begins with the second run of one program under one load. The runs are in the table.'
          : filtered ? 'No run passes these filters.' : `No run has the measure ${of.measure.name}.`}</p>}
        {shown(series).map((s, i) => (
          <Section key={s.title + s.plan + s.machine} id={'series-' + i} title={s.name} lead={lead(s, of)}>
            <Trend id={'trend-' + i} of={s} measure={of.measure} />
          </Section>
        ))}
        {series.length > mostCharts && <p class="muted">{series.length - mostCharts} more series are in the table; a filter shows their charts.</p>}
        <Section id="runs" title="Runs" lead="Choose two to see their difference: with the boxes, or with the space bar on a row.">
          <RunTable of={of} />
        </Section>
      </>}
    </article>
  )
}

/** mostRuns is how many runs are listed: the newest ones, as many as change points are looked for in. */
const mostRuns = 2000

/** mostCharts is how many series have a chart: the newest ones. */
const mostCharts = 6

const shown = (all: TrendSeries[]) => [...all].reverse().slice(0, mostCharts)

function lead(s: TrendSeries, of: History): string {
  const parts = [`${of.measure.name}, ${of.measure.better ? of.measure.better + ' is better' : 'by run'}`, s.plan, s.machine].filter(Boolean)
  if (s.earlier) parts.push(`${s.earlier.toLocaleString('en-US')} earlier runs are not shown`)
  return parts.join('; ')
}

const count = (n: number, noun: string) => `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`
