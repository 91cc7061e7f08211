// What was measured lately, of all kinds, with one sentence each.

import type { Entry, Kind } from '../../model'
import { Sign } from '../../components/statement'
import { pageHref } from '../../router'
import { moment } from '../../format/units'

const names: Record<Kind, string> = {
  run: 'run', once: 'execution', load: 'load test', comparison: 'comparison', bench: 'benchmarks', bisect: 'bisect', stored: 'stored runs',
}

/** Newest lists them, the newest first. */
export function Newest({ of }: { of: Entry[] }) {
  return (
    <div class="scroll">
      <table class="data" aria-label="Newest measurements" data-test="newest">
        <thead><tr><th scope="col">started</th><th scope="col">kind</th><th scope="col">name</th><th scope="col">what</th><th scope="col">result</th></tr></thead>
        <tbody>{of.map(e => (
          <tr key={e.id} data-test={'entry-' + e.kind}>
            <td style={{ whiteSpace: 'nowrap' }}>{moment(e.started)}</td>
            <td style={{ whiteSpace: 'nowrap' }}>{names[e.kind] ?? e.kind}</td>
            <td style={{ whiteSpace: 'nowrap' }}><a class="mono" href={pageHref(e.kind, e.id)}>{e.id}</a></td>
            <td>{e.title}</td>
            <td><Sign tone={e.tone} /> {e.text || e.status}</td>
          </tr>
        ))}</tbody>
      </table>
    </div>
  )
}
