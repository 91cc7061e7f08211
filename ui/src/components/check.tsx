// Whether the measurement can be trusted. What is invalid cannot be overlooked.

import type { Check } from '../model'
import { Jump } from './section'
import { Sign, Statement, Statements } from './statement'

/** CheckLine is the first words of it, with the way to the section that has the rest. */
export function CheckLine({ check }: { check: Check }) {
  const warnings = (check.notes ?? []).filter(n => n.tone === 'warning' || n.tone === 'bad').length
  return (
    <p class="check-line" data-test="check-line">
      <Sign tone={check.tone} /> {check.text.split(': ')[0]}; <Jump to="conditions">{warnings ? `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}, and the conditions` : 'the conditions'}</Jump>
    </p>
  )
}

/** few are so many plain remarks that they need no fold. */
const few = 3

/** CheckBanner says it, with its notes. Plain remarks are folded where they are many; warnings never are. */
export function CheckBanner({ check }: { check: Check }) {
  const notes = check.notes ?? []
  const plain = notes.filter(n => n.tone === 'neutral' || !n.tone), loud = notes.filter(n => !plain.includes(n))
  const fold = plain.length > few
  return (
    <div class={'banner tone-' + check.tone} role={check.tone === 'bad' ? 'alert' : 'note'} data-test="check">
      <Statement text={check.text} tone={check.tone} />
      <Statements of={fold ? loud : notes} class="notes" />
      {fold && <details class="fold small"><summary>{plain.length} remarks</summary><Statements of={plain} class="notes" /></details>}
    </div>
  )
}
