// What the variants and their machines have in common, and first what differs.

import type { EnvironmentRow, Variant } from '../../model'
import { Scroll } from '../../components/scroll'

/** Environment shows rows that differ in amber; the others are folded. */
export function Environment({ rows, variants }: { rows: EnvironmentRow[], variants: Variant[] }) {
  const differ = rows.filter(r => r.differs), same = rows.filter(r => !r.differs)
  return (
    <div data-test="environment">
      {differ.length === 0
        ? <p>Nothing that hone knows of differs between the variants' machines, toolchains and builds.</p>
        : <Table rows={differ} variants={variants} />}
      {same.length > 0 && (
        <details class="fold">
          <summary>{same.length} {same.length === 1 ? 'property is' : 'properties are'} the same</summary>
          <Table rows={same} variants={variants} once />
        </details>
      )}
    </div>
  )
}

function Table({ rows, variants, once }: { rows: EnvironmentRow[], variants: Variant[], once?: boolean }) {
  return (
    <Scroll name="Environment">
      <table class="data environment">
        <thead><tr><th scope="col">property</th>{once ? <th scope="col">all variants</th> : variants.map(v => <th key={v.letter} scope="col">{v.letter}</th>)}</tr></thead>
        <tbody>
          {rows.map((r, i) => (
            <tr key={i} class={r.differs ? 'differs' : undefined}>
              <td>{r.name}</td>
              {(once ? r.values.slice(0, 1) : r.values).map((v, j) => <td key={j}>{v || '–'}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
