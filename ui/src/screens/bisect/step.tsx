// One step of the history: the commit, what explains it, what it changed in the source, and how to compare it again.

import type { BisectStep, Row } from '../../model'
import { has } from '../../api'
import { CommandLine } from '../../components/command'
import { Diff } from '../../components/diff'
import { Statement } from '../../components/statement'
import { href } from '../../router'

interface Props {
  of: BisectStep
  /** comparison is that with the commit before, by its name in the ledger; empty if it is not there. */
  comparison: string
  /** sentence says that it has to be written, since the head of the page does not have it. */
  sentence: boolean
}

/** StepView shows a step. */
export function StepView({ of, comparison, sentence }: Props) {
  const hunks = of.hunks ?? []
  return (
    <div data-test="step">
      {sentence && <Statement text={of.sentence} tone={of.tone} />}
      <ul class="commits">{of.commits.map((c, i) => <CommitLine key={i} of={c} />)}</ul>
      {!!of.why?.length && <><h3>Why</h3><ul class="lines" data-test="why">{of.why.map((w, i) => <li key={i}>{w}</li>)}</ul></>}
      {hunks.length > 0 && <h3>What changed</h3>}
      {hunks.map((h, i) => <Diff key={i} of={h} />)}
      {!!of.more_hunks && <p class="small muted">and {of.more_hunks} more {of.more_hunks === 1 ? 'hunk' : 'hunks'}</p>}
      {of.command && <><h3>Compare it with the commit before</h3><CommandLine line={of.command} /></>}
      {comparison && has('comparisons/' + comparison) && <p class="small"><a href={href(['comparisons', comparison])}>Comparison {comparison}</a> has all measures and profiles.</p>}
    </div>
  )
}

function CommitLine({ of }: { of: Row }) {
  return <li><code>{of.name}</code> <span>{of.text}</span> <span class="small muted">{of.note}</span></li>
}
