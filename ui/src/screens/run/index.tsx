// The screen of a run: can it be trusted, what happened, and what to change.

import type { HotRow, Row, Run } from '../../model'
import { has, inReport } from '../../api'
import { Answer } from '../../components/answer'
import { CheckBanner } from '../../components/check'
import { Commands } from '../../components/command'
import { CurveMarks, Curves } from '../../components/curves'
import { FactsTable } from '../../components/facts'
import { Foot, Head } from '../../components/head'
import { ProfileLinks } from '../../components/profiles'
import { Contents, Section, type Part } from '../../components/section'
import { href } from '../../router'
import { Findings } from './findings'
import { HeatMap } from './heatmap'
import { Timeline } from './timeline'
import { Times } from './times'
import { Scroll } from '../../components/scroll'

/** RunScreen shows the run with an id. */
export function RunScreen({ id }: { id: string }) {
  return <Answer<Run> path={'runs/' + id}>{r => <View of={r} />}</Answer>
}

function View({ of }: { of: Run }) {
  const curves = of.latency ? [of.latency] : []
  const times = !!of.times?.length || !!of.times_note
  return (
    <div class="with-toc">
      <article data-test="run">
        <Head of={of}>
          {of.label && of.label !== of.title && <span>label <span class="mono">{of.label}</span></span>}
          {of.commit && <span>commit <span class="mono">{of.commit}</span></span>}
          {of.comparison && has('comparisons/' + of.comparison) && <a href={href(['comparisons', of.comparison])}>{of.variant ? `variant ${of.variant} of ` : ''}comparison {of.comparison}</a>}
        </Head>
        <CheckBanner check={of.check} />
        {of.under.length > 0 && <ul class="conditions" aria-label="Measured under">{of.under.map((u, i) => <li key={i}>{u}</li>)}</ul>}
        {of.findings.length > 0 && <Readings of={of.numbers} />}
        {!!of.errors?.length && <Section id="errors" title="Errors"><FactsTable name="Errors by cause" rows={of.errors} /></Section>}
        {of.findings.length > 0 && <Section id="findings" title={`Findings (${of.findings.length})`}><Findings of={of.findings} note={of.finding_note} /></Section>}
        {of.numbers.length > 0 && <Section id="numbers" title="Numbers" lead={of.numbers_note}><FactsTable name="Numbers" rows={of.numbers} /></Section>}
        {times && <Section id="times" title="Where the time of a request goes" lead={of.times?.length ? 'These requests were traced, which makes them slower: the latencies of the load are under Numbers.' : undefined}><Times of={of} /></Section>}
        {!of.findings.length && of.finding_note && <Section id="findings" title="Findings"><Findings of={[]} note={of.finding_note} /></Section>}
        {of.latency && (
          <Section id="latency" title="Latency">
            <Curves id="latency" curves={curves} names={[of.latency.name || 'latency']} />
            <CurveMarks curves={curves} names={[of.latency.name || 'latency']} />
          </Section>
        )}
        {of.heat_map && of.heat_map.counts.length > 0 && <Section id="heatmap" title="Latency over time"><HeatMap of={of.heat_map} /></Section>}
        {of.timeline && of.timeline.series.length > 0 && <Section id="timeline" title="Timeline"><Timeline of={of.timeline} /></Section>}
        {!!of.hot?.length && <Section id="hot" title="Most expensive lines"><Hot of={of.hot} /></Section>}
        {of.profiles.some(p => has(p.path)) && <Section id="profiles" title="Profiles"><ProfileLinks of={of.profiles} /></Section>}
        {of.environment.length > 0 && <Section id="environment" title="Environment"><FactsTable name="Environment" rows={of.environment} /></Section>}
        {of.artefacts.length > 0 && <Section id="artefacts" title="Files"><Artefacts of={of} /></Section>}
        {of.commands.length > 0 && <Section id="next" title="Next"><Commands of={of.commands} /></Section>}
        <Foot version={of.version} />
      </article>
      <Contents parts={partsOf(of, times)} />
    </div>
  )
}

/** Readings are the first numbers, above the findings that stand before the table of all. */
function Readings({ of }: { of: Row[] }) {
  const short = (r: Row) => r.parts ? r.parts.filter(p => /^p(50|99) /.test(p)).join(', ') : r.text
  return (
    <dl class="readings" aria-label="Main numbers" data-test="readings">{of.slice(0, 3).filter(short).map(r => (
      <div key={r.name}><dt>{r.name}</dt><dd>{short(r)}</dd></div>
    ))}</dl>
  )
}

function Hot({ of }: { of: HotRow[] }) {
  return (
    <Scroll name="Most expensive lines">
      <table class="data" aria-label="Most expensive lines" data-test="hot">
        <thead><tr><th scope="col">where</th><th scope="col" class="number">CPU</th><th scope="col" class="number">samples</th></tr></thead>
        <tbody>{of.map((h, i) => (
          <tr key={i}><td>{h.what}{h.place && <small class="muted mono">{h.place}</small>}</td><td class="number">{h.share ?? 'too few'}</td><td class="number">{h.samples}</td></tr>
        ))}</tbody>
      </table>
    </Scroll>
  )
}

function Artefacts({ of }: { of: Run }) {
  return (
    <Scroll name="Files">
      <table class="data" aria-label="Files" data-test="artefacts">
        <thead><tr><th scope="col">file</th><th scope="col">kind</th><th scope="col" class="number">size</th></tr></thead>
        <tbody>{of.artefacts.map((a, i) => (
          <tr key={i}>
            <td>{inReport() ? a.name : <a href={'api/v1/artefacts/' + encodeURIComponent(a.sha256)} download={a.name}>{a.name}</a>}</td>
            <td>{a.kind}</td><td class="number">{a.size}</td>
          </tr>
        ))}</tbody>
      </table>
    </Scroll>
  )
}

function partsOf(of: Run, times: boolean): Part[] {
  const all: [unknown, string, string][] = [
    [of.errors?.length, 'errors', 'Errors'], [of.findings.length, 'findings', 'Findings'],
    [of.numbers.length, 'numbers', 'Numbers'], [times, 'times', 'Time of a request'],
    [!of.findings.length && of.finding_note, 'findings', 'Findings'], [of.latency, 'latency', 'Latency'],
    [of.heat_map?.counts.length, 'heatmap', 'Latency over time'], [of.timeline?.series.length, 'timeline', 'Timeline'],
    [of.hot?.length, 'hot', 'Expensive lines'], [of.profiles.some(p => has(p.path)), 'profiles', 'Profiles'],
    [of.environment.length, 'environment', 'Environment'], [of.artefacts.length, 'artefacts', 'Files'], [of.commands.length, 'next', 'Next'],
  ]
  return all.filter(([there]) => there).map(([, id, title]) => ({ id, title }))
}
