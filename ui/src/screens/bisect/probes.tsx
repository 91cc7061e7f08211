// The probes of a search, and the commits that it left out.

import type { Row } from '../../model'
import { Scroll } from '../../components/scroll'

/** Probes lists the comparisons of the search in their order. */
export function Probes({ of }: { of: Row[] }) {
  return (
    <Scroll name="Probes">
      <table class="data" aria-label="Probes" data-test="probes">
        <thead><tr><th scope="col" class="number">probe</th><th scope="col">commit</th><th scope="col">change</th><th scope="col" class="number">took</th></tr></thead>
        <tbody>{of.map((p, i) => (
          <tr key={i}><td class="number">{i + 1}</td><td><Commit name={p.name} /></td><td>{p.text}</td><td class="number">{p.note}</td></tr>
        ))}</tbody>
      </table>
    </Scroll>
  )
}

/** Skipped lists the commits that could not be measured, with the reason. */
export function Skipped({ of }: { of: Row[] }) {
  return (
    <Scroll name="Skipped commits">
      <table class="data" aria-label="Skipped commits" data-test="skipped">
        <thead><tr><th scope="col">commit</th><th scope="col">reason</th></tr></thead>
        <tbody>{of.map((s, i) => <tr key={i}><td><Commit name={s.name} /></td><td>{s.text}</td></tr>)}</tbody>
      </table>
    </Scroll>
  )
}

/** Commit is a commit's hash and its subject, which come as one text. */
function Commit({ name }: { name: string }) {
  const at = name.indexOf(' ')
  return at < 0 ? <code>{name}</code> : <><code>{name.slice(0, at)}</code>{name.slice(at)}</>
}
