// Names with texts, as tables of facts.

import type { Row } from '../model'
import { Sign } from './statement'

/** FactsTable shows rows of names and texts in as many columns as fit. */
export function FactsTable({ rows, name }: { rows: Row[], name: string }) {
  return (
    <dl class="facts" aria-label={name}>
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
