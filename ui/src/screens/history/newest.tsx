// What was measured lately, of all kinds, with one sentence each.

import { useState } from 'preact/hooks'
import type { Entry, Kind } from '../../model'
import { Sign } from '../../components/statement'
import { split } from '../../components/verdict'
import { pageHref } from '../../router'
import { moment } from '../../format/units'
import { Disturbed } from './runs'

const names: Record<Kind, string> = {
  run: 'run', once: 'execution', load: 'load test', comparison: 'comparison', bench: 'benchmarks', bisect: 'bisect', stored: 'stored runs',
}

/** Result is what came out: of a sentence the numbers in brackets are smaller. */
function Result({ of }: { of: Entry }) {
  const { head, rest } = split(of.text || of.status)
  return <><Sign tone={of.tone} /> {of.disturbed && <Disturbed />} {head}{rest && <span class="small muted"> {rest}</span>}</>
}

/** few is how many are listed before a button asks for all, without the runs of comparisons. */
const few = 12

/** Newest lists them, the newest first. */
export function Newest({ of }: { of: Entry[] }) {
  const [all, setAll] = useState(false)
  const first = of.filter(e => !e.comparison).slice(0, few)
  return (
    <>
    <table class="data newest" aria-label="Newest measurements" data-test="newest">
      <thead><tr><th scope="col">started</th><th scope="col">kind</th><th scope="col">name</th><th scope="col">what</th><th scope="col">result</th></tr></thead>
      <tbody>{(all ? of : first).map(e => (
        <tr key={e.id} data-test={'entry-' + e.kind}>
          <td>{moment(e.started)}</td>
          <td>{names[e.kind] ?? e.kind}</td>
          <td><a class="mono" href={pageHref(e.kind, e.id)}>{e.id}</a></td>
          <td class="what">{e.title}</td>
          <td class="what"><Result of={e} /></td>
        </tr>
      ))}</tbody>
    </table>
    {!all && of.length > first.length && <button type="button" class="link-button" data-test="all-newest" onClick={() => setAll(true)}>Show all {of.length}</button>}
    </>
  )
}
