// Whether the measurement can be trusted. What is invalid cannot be overlooked.

import type { Check } from '../model'
import { Statement, Statements } from './statement'

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
