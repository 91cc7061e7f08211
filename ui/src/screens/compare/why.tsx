// Why the variants differ: findings that came or went, and the way from A's cost to B's, cause by cause.

import type { Contest, FindingChange } from '../../model'
import { Waterfall } from './waterfall'
import { Scroll } from '../../components/scroll'

/** explained says that there is something to show. */
export function explained(c: Contest): boolean {
  return !!c.findings?.length || !!c.waterfalls?.length
}

/** differs says that the verdict calls the variants different: else the causes explain no verdict. */
export function differs(c: Contest): boolean {
  return c.word === 'faster' || c.word === 'slower'
}

/** Why draws both. a and b are the letters of the variants. */
export function Why({ of, a, b, id }: { of: Contest, a: string, b: string, id: string }) {
  return (
    <div class="why" data-test="why">
      {of.waterfalls?.map((w, i) => <Waterfall key={i} id={`${id}-${i}`} of={w} a={a} b={b} />)}
      {!!of.findings?.length && <FindingTable of={of.findings} b={b} />}
    </div>
  )
}

function FindingTable({ of, b }: { of: FindingChange[], b: string }) {
  return (
    <Scroll name="Findings that changed">
      <table class="data" aria-label="Findings that changed" data-test="finding-changes">
        <thead><tr><th scope="col">finding</th><th scope="col">in {b}</th><th scope="col" class="number">CPU per request</th><th scope="col">rule</th></tr></thead>
        <tbody>{of.map((f, i) => (
          <tr key={i}>
            <td>{f.title}<small class="muted">{f.place}</small></td>
            <td class="sure">{f.word}</td>
            <td class="number">{f.delta.text || '–'}</td>
            <td class="sure">{f.rule}</td>
          </tr>
        ))}</tbody>
      </table>
    </Scroll>
  )
}
