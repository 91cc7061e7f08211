// The gates of a comparison: which limits failed, which are open, and which held.

import type { GateLine } from '../../model'
import { Scroll } from '../../components/scroll'
import { Sign } from '../../components/statement'

/** Gates is their table, the failed ones first. Where several variants or benchmarks have gates, each row says whose it is. */
export function Gates({ of }: { of: GateLine[] }) {
  const several = of.some(g => g.variant !== of[0]!.variant)
  return (
    <Scroll name="Gates">
      <table class="data gates" aria-label="Gates" data-test="gates">
        <thead><tr><th scope="col">gate</th>{several && <th scope="col">of</th>}<th scope="col">result</th><th scope="col">why</th></tr></thead>
        <tbody>{of.map((g, i) => (
          <tr key={i}>
            <td class="mono">{g.name}</td>
            {several && <td>{g.variant}</td>}
            <td class={'sure tone-' + g.tone}><Sign tone={g.tone} /> {g.outcome}</td>
            <td>{g.reason}</td>
          </tr>
        ))}</tbody>
      </table>
    </Scroll>
  )
}
