// The screen of a search for a commit: which one it is, how sure that is, and what it changed.

import type { Bisection, Comparison } from '../../model'
import { has } from '../../api'
import { Commands } from '../../components/command'
import { Foot, Head } from '../../components/head'
import { Contents, Section, type Part } from '../../components/section'
import { Verdict } from '../../components/verdict'
import { href } from '../../router'
import { History } from './history'
import { Probes, Skipped } from './probes'
import { StepView } from './step'

/** SearchView shows a search. */
export function SearchView({ of, search }: { of: Comparison, search: Bisection }) {
  const steps = search.steps ?? [], probes = search.probes ?? [], skipped = search.skipped ?? []
  const curve = search.places.length > 1
  const parts: [unknown, Part][] = [
    [curve, { id: 'history', title: 'Along the history' }],
    ...steps.map((s, i): [unknown, Part] => [true, { id: stepId(i), title: stepTitle(search, i, s.commits.length) }]),
    [probes.length, { id: 'probes', title: 'Probes' }],
    [skipped.length, { id: 'skipped', title: 'Skipped commits' }],
    [of.commands.length, { id: 'next', title: 'Next' }],
  ]
  return (
    <div class="with-toc">
      <article data-test="bisect">
        <Head of={of} />
        <div data-test="verdicts">{of.verdicts.map((v, i) => <Verdict key={i} {...v} />)}</div>
        <div class="under-verdict">
          {of.under.map((line, i) => <p key={i}>{line}</p>)}
          {search.whole && has('comparisons/' + search.whole) && <p><a href={href(['comparisons', search.whole])}>Comparison {search.whole} of both ends</a></p>}
        </div>
        {curve && (
          <Section id="history" title="Along the history" lead={`Above: ${search.measure} of each commit that was compared, relative to the good end. Below: how likely a step is at each commit.`}>
            <History places={search.places} measure={search.measure} />
          </Section>
        )}
        {steps.map((s, i) => (
          <Section key={i} id={stepId(i)} title={stepTitle(search, i, s.commits.length)}>
            <StepView of={s} comparison={search.comparisons[i] ?? ''} sentence={steps.length > 1} />
          </Section>
        ))}
        {probes.length > 0 && <Section id="probes" title="Probes" lead="The comparisons with the good end, in their order."><Probes of={probes} /></Section>}
        {skipped.length > 0 && <Section id="skipped" title="Skipped commits" lead="These commits could not be measured."><Skipped of={skipped} /></Section>}
        {of.commands.length > 0 && <Section id="next" title="Next"><Commands of={of.commands} /></Section>}
        <Foot version={of.version} />
      </article>
      <Contents parts={parts.filter(([there]) => there).map(([, part]) => part)} />
    </div>
  )
}

const stepId = (i: number) => `step-${i + 1}`

/** stepTitle is what a step is called: by its number where there are several. */
function stepTitle(search: Bisection, i: number, commits: number): string {
  if (search.steps!.length > 1) return `Step ${i + 1}`
  return commits > 1 ? 'The commits' : 'The commit'
}
