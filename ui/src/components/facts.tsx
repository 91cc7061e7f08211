// Names with texts, as tables of facts.

import type { Row } from '../model'
import { Sign } from './statement'

/** roomy is how many characters a text may have that stands at the right of a narrow column. */
const roomy = 30

/** Value is the text of a row, each of its parts in a cell of its own. */
function Value({ of }: { of: Row }) {
  if ((of.parts?.length ?? 0) < 2) return <>{of.text}</>
  return <ul class="parts">{of.parts!.map((p, i) => <li key={i}>{p}</li>)}</ul>
}

/** FactsTable shows rows of names and texts: in as many columns as fit, in one if a text is long. */
export function FactsTable({ rows, name }: { rows: Row[], name: string }) {
  return (
    <dl class={rows.some(r => r.text.length > roomy) ? 'facts long' : 'facts'} aria-label={name}>
      {rows.map((r, i) => (
        <div key={i}>
          <dt>{r.name}</dt>
          <dd class={r.tone ? 'tone-' + r.tone : undefined}><Sign tone={r.tone} /> <Value of={r} /></dd>
          {r.note && <dd class="note">{r.note}</dd>}
        </div>
      ))}
    </dl>
  )
}
