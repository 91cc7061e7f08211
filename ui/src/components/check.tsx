// Whether the measurement can be trusted. What is invalid cannot be overlooked.

import type { Check } from '../model'
import { Statement } from './statement'

/** CheckBanner says it, with its notes. */
export function CheckBanner({ check }: { check: Check }) {
  return (
    <div class={'banner tone-' + check.tone} role={check.tone === 'bad' ? 'alert' : 'note'} data-test="check">
      <Statement text={check.text} tone={check.tone} />
      {!!check.notes?.length && <div class="notes">{check.notes.map((n, i) => <Statement key={i} {...n} />)}</div>}
    </div>
  )
}
