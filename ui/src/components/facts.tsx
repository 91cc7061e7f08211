// Names with texts, as tables of facts.

import type { Row } from '../model'
import { Sign } from './statement'

/** roomy is how many characters a text may have that stands at the right of a narrow column. */
const roomy = 30

/** FactsTable shows rows of names and texts: in as many columns as fit, in one if a text is long. */
export function FactsTable({ rows, name }: { rows: Row[], name: string }) {
  return (
    <dl class={rows.some(r => r.text.length > roomy) ? 'facts long' : 'facts'} aria-label={name}>
      {rows.map((r, i) => (
        <div key={i}>
          <dt>{r.name}</dt>
          <dd class={r.tone ? 'tone-' + r.tone : undefined}><Sign tone={r.tone} /> {r.text}</dd>
          {r.note && <dd class="note">{r.note}</dd>}
        </div>
      ))}
    </dl>
  )
}
