// What each function costs per request on both sides. A row opens the flame graph of the difference at its function.

import { useState } from 'preact/hooks'
import type { Comparison, Contest, FunctionRow } from '../../model'
import { has } from '../../api'
import { DataTable, type Column } from '../../components/table'
import { Sign } from '../../components/statement'
import { href } from '../../router'

/** diffHref is the address of the difference of two variants' profiles of a kind; empty if one of them is not here. */
export function diffHref(of: Comparison, contest: Contest, kind = 'cpu', focus?: string): string {
  const a = of.variants[contest.a]?.run, b = of.variants[contest.b]?.run
  const there = (run: string | undefined) => !!run && of.profiles.some(p => p.run === run && p.kind === kind && has(p.path))
  return there(a) && there(b) ? href(['diff', a!, b!, kind], { focus }) : ''
}

/** Functions is the table of a contest's functions: those that changed beyond the noise, and on request all. */
export function Functions({ of, contest }: { of: Comparison, contest: Contest }) {
  const [all, setAll] = useState(false)
  const a = of.variants[contest.a]?.letter ?? 'A', b = of.variants[contest.b]?.letter ?? 'B'
  const rows = contest.functions ?? [], changed = rows.filter(r => r.tone !== 'neutral'), rest = rows.length - changed.length
  const columns: Column<FunctionRow>[] = [
    { name: 'function', text: r => r.name, show: r => { const to = diffHref(of, contest, 'cpu', r.name); return to ? <a href={to}>{r.name}</a> : r.name } },
    { name: a, number: true, text: r => r.a.text, value: r => r.a.value },
    { name: b, number: true, text: r => r.b.text, value: r => r.b.value },
    { name: 'change', number: true, text: r => r.delta.text, value: r => r.delta.value },
    { name: 'interval', number: true, text: r => r.interval ?? '' },
    { name: `in ${b}`, text: r => r.word, show: r => <span class={'sure tone-' + r.tone}><Sign tone={r.tone} /> {r.word}</span> },
  ]
  return (
    <>
      {contest.functions_note && <p class={changed.length ? 'small muted' : undefined} data-test="functions-note">{contest.functions_note}</p>}
      {(all || changed.length > 0) && <DataTable name="Functions" rows={all ? [...changed, ...rows.filter(r => r.tone === 'neutral')] : changed} columns={columns} search={all} test="functions" />}
      {rest > 0 && !all && <button type="button" class="link-button" data-test="all-functions" onClick={() => setAll(true)}>Show all {rows.length} functions: {rest} did not change beyond the noise</button>}
    </>
  )
}
