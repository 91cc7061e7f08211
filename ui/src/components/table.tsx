// A table of data that can be sorted and searched. Every chart has one behind it.

import { useMemo, useState } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import { copy } from './copy'
import { Scroll } from './scroll'

export interface Column<T> {
  name: string
  /** text is what is shown and copied, value what is sorted by; without value the text is. */
  text: (row: T) => string
  value?: (row: T) => number | string
  /** show draws the cell; without it the text is shown. */
  show?: (row: T) => ComponentChildren
  number?: boolean
}

interface Props<T> {
  name: string
  columns: Column<T>[]
  rows: T[]
  /** search offers a field that narrows the rows. */
  search?: boolean
  /** most is how many rows are shown before a button asks for all. */
  most?: number
  class?: string
  test?: string
  rowClass?: (row: T) => string | undefined
}

/** DataTable shows rows. A click on a column's name sorts by it, another one turns the order round. */
export function DataTable<T>({ name, columns, rows, search, most = 200, class: extra, test, rowClass }: Props<T>) {
  const [by, setBy] = useState<{ column: number, down: boolean } | null>(null)
  const [query, setQuery] = useState('')
  const [all, setAll] = useState(false)
  const shown = useMemo(() => order(narrow(rows, columns, query), columns, by), [rows, columns, query, by])
  const visible = all ? shown : shown.slice(0, most)
  const sort = (i: number) => setBy(by?.column === i ? { column: i, down: !by.down } : { column: i, down: !!columns[i]!.number })
  return (
    <div data-test={test}>
      {search && (
        <div class="table-tools">
          <input class="field" type="search" placeholder="Search" aria-label={`Search ${name}`} value={query} onInput={e => setQuery(e.currentTarget.value)} />
          <button type="button" class="button" onClick={() => void copy(tabs(columns, shown), 'Table copied')}>Copy table</button>
          <span class="count small muted" role="status">{shown.length.toLocaleString('en-US')} of {rows.length.toLocaleString('en-US')}</span>
        </div>
      )}
      <Scroll name={name}>
        <table class={'data ' + (extra ?? '')} aria-label={name}>
          <thead>
            <tr>{columns.map((c, i) => (
              <th key={i} scope="col" class={c.number ? 'number' : undefined} aria-sort={by?.column === i ? (by.down ? 'descending' : 'ascending') : undefined}>
                <button type="button" onClick={() => sort(i)}>{c.name}{by?.column === i && <span class="order" aria-hidden="true">{by.down ? '↓' : '↑'}</span>}</button>
              </th>
            ))}</tr>
          </thead>
          <tbody>{visible.map((r, i) => (
            <tr key={i} class={rowClass?.(r)}>{columns.map((c, j) => <td key={j} class={c.number ? 'number' : undefined}>{c.show ? c.show(r) : c.text(r)}</td>)}</tr>
          ))}
            {!shown.length && !!query && <tr><td colSpan={columns.length} class="muted" data-test="nothing">Nothing matches “{query}”.</td></tr>}
          </tbody>
        </table>
      </Scroll>
      {visible.length < shown.length && (
        <button type="button" class="button" onClick={() => setAll(true)}>Show all {shown.length.toLocaleString('en-US')} rows</button>
      )}
    </div>
  )
}

function narrow<T>(rows: T[], columns: Column<T>[], query: string): T[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (!words.length) return rows
  return rows.filter(r => {
    const text = columns.map(c => c.text(r)).join(' ').toLowerCase()
    return words.every(w => text.includes(w))
  })
}

function order<T>(rows: T[], columns: Column<T>[], by: { column: number, down: boolean } | null): T[] {
  if (!by) return rows
  const c = columns[by.column]!
  const value = c.value ?? c.text
  const sign = by.down ? -1 : 1
  return [...rows].sort((x, y) => {
    const a = value(x), b = value(y)
    return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b)))
  })
}

function tabs<T>(columns: Column<T>[], rows: T[]): string {
  const cell = (s: string) => s.replace(/\s+/g, ' ')
  return [columns.map(c => c.name), ...rows.map(r => columns.map(c => cell(c.text(r))))].map(r => r.join('\t')).join('\n') + '\n'
}
