// The table of functions: sorted by any column. Only the rows that can be seen are in the page.

import { useMemo, useState } from 'preact/hooks'
import { route, setParams } from '../router'
import type { Graph } from './grow'
import { change, share, signed, value } from './format'
import type { Found, Row } from './tally'

interface Props { graph: Graph, rows: Row[], unit: string, found: Found | null, selected: number, height: number, onSelect: (fn: number) => void, compact?: boolean }

interface Column { key: string, name: string, sort: (r: Row) => number | string, show: (r: Row) => string, number?: boolean }

const high = 26

/** FunctionTable lists the functions of a graph. */
export function FunctionTable({ graph, rows, unit, found, selected, height, onSelect, compact }: Props) {
  const [top, setTop] = useState(0)
  const f = graph.functions, two = graph.total.length > 1, whole = graph.total.map(t => t[0] || 1)
  const part = (v: number, c: number) => unit === 'share' ? value(v, unit) : `${value(v, unit)}  ${share(v / whole[c]!)}`
  const delta = (v: number[]) => v[1]! - v[0]!
  const measure = (key: 'own' | 'total', name: string): Column[] => !two
    ? [{ key, name, number: true, sort: r => r[key][0]!, show: r => part(r[key][0]!, 0) }]
    : [0, 1].filter(() => !compact).map((c): Column => ({ key: key + 'AB'[c], name: `${name} ${'AB'[c]}`, number: true, sort: r => r[key][c]!, show: r => part(r[key][c]!, c) }))
      .concat({ key: key + 'D', name: `${name} B − A`, number: true, sort: r => Math.abs(delta(r[key])), show: r => `${signed(delta(r[key]), unit)}  ${change(r[key][0]!, r[key][1]!)}` })
  const columns: Column[] = [...measure('own', 'own'), ...measure('total', 'total'),
    { key: 'name', name: 'function', sort: r => f.names[r.fn]!, show: r => f.names[r.fn]! },
    ...(compact ? [] : [{ key: 'package', name: 'package', sort: (r: Row) => f.packages[r.fn]!, show: (r: Row) => f.packages[r.fn]! }])]
  const order = route.value.params.get('sort') || (two ? 'ownD' : 'own'), up = order.startsWith('-')
  const by = columns.find(c => c.key === order.replace('-', '')) ?? columns[0]!
  const shown = useMemo(() => {
    const list = rows.filter(r => !found || found.error || found.functions[r.fn])
    const words = !by.number
    return list.sort((a, b) => { const x = by.sort(a), y = by.sort(b); return (x < y ? -1 : x > y ? 1 : 0) * (words !== up ? 1 : -1) })
  }, [rows, found, by.key, up])
  const first = Math.max(0, Math.floor(top / high) - 5), last = Math.min(shown.length, first + Math.ceil(height / high) + 12)
  return (
    <div class="functions" data-test="function-table" style={{ maxHeight: height + 'px' }} onScroll={e => setTop(e.currentTarget.scrollTop)}>
      <table class="data" aria-rowcount={shown.length + 1}>
        <thead><tr>{columns.map(c => <th key={c.key} class={c.number ? 'number' : ''} aria-sort={c === by ? (c.number !== up ? 'descending' : 'ascending') : undefined}>
          <button type="button" onClick={() => setParams({ sort: c === by && !up ? '-' + c.key : c.key })}>{c.name}<span class="order" aria-hidden="true">{c === by ? (c.number !== up ? '↓' : '↑') : ''}</span></button></th>)}</tr></thead>
        <tbody>
          <tr style={{ height: first * high + 'px' }} aria-hidden="true" />
          {shown.slice(first, last).map((r, i) => <tr key={r.fn} aria-rowindex={first + i + 2} class={r.fn === selected ? 'chosen' : undefined} onClick={() => onSelect(r.fn)}>
            {columns.map(c => <td key={c.key} class={c.number ? 'number' : c.key} title={c.number ? undefined : c.show(r)}>
              {c.key === 'name' ? <button type="button" class="link-button"><span class={'origin origin-' + f.origins[r.fn]} aria-hidden="true" />{c.show(r)}</button> : c.show(r)}</td>)}
          </tr>)}
          <tr style={{ height: (shown.length - last) * high + 'px' }} aria-hidden="true" />
        </tbody>
      </table>
      {!shown.length && <p class="muted">No function matches.</p>}
    </div>
  )
}
