// The filters of the history. They are in the address; a change of one asks the server again.

import type { History } from '../../model'
import { route, setParams } from '../../router'

/** filterNames are the parameters of the address that the server understands, too. */
export const filterNames = ['measure', 'package', 'label', 'target', 'status', 'since', 'until', 'number']

const periods: [string, string][] = [['', 'at any time'], ['1d', 'in the last day'], ['7d', 'in the last week'], ['30d', 'in the last month']]

/** Filters draws a field for each filter that has a choice. */
export function Filters({ of }: { of: History }) {
  const k = of.known
  return (
    <form class="filters" role="search" aria-label="Filters" data-test="filters" onSubmit={e => e.preventDefault()}>
      <Choice name="measure" label="Measure" values={k.measures.map(m => [m.key, m.name])} current={of.measure.key} />
      {k.packages.length > 1 && <Choice name="package" label="Package" values={any(k.packages)} />}
      {k.labels.length > 1 && <Choice name="label" label="Variant" values={any(k.labels)} />}
      {k.targets.length > 1 && <Choice name="target" label="Target" values={any(k.targets)} />}
      <Choice name="status" label="Status" values={any(k.statuses)} />
      <Choice name="since" label="Measured" values={periods} />
      {filterNames.some(n => n !== 'measure' && route.value.params.get(n)) && (
        <button type="button" class="button" onClick={() => setParams(Object.fromEntries(filterNames.map(n => [n, undefined])), true)}>Clear filters</button>
      )}
    </form>
  )
}

const any = (values: string[]): [string, string][] => [['', 'all'], ...values.map((v): [string, string] => [v, v])]

interface Props { name: string, label: string, values: [string, string][], current?: string }

function Choice({ name, label, values, current }: Props) {
  const now = route.value.params.get(name) ?? current ?? ''
  return (
    <label>
      <span>{label}</span>
      <select class="field" value={now} data-test={'filter-' + name} onChange={e => setParams({ [name]: e.currentTarget.value || undefined, pick: undefined }, true)}>
        {!values.some(([v]) => v === now) && <option value={now}>{now}</option>}
        {values.map(([v, text]) => <option key={v} value={v}>{text}</option>)}
      </select>
    </label>
  )
}
