// Sums over trees: by function, by file, by line, and of what a search finds. Recursion is counted once in totals.

import type { Graph } from './grow'
import { totals, type Functions, type Tree } from './tree'

/** tally adds up own values and totals by group. The group of a node is a number from 0 on, or -1 for none. */
function tally(end: Int32Array, group: Int32Array, groups: number, self: Float64Array, total: Float64Array): { own: Float64Array, total: Float64Array } {
  const own = new Float64Array(groups), sums = new Float64Array(groups), active = new Int32Array(groups), open: number[] = []
  for (let i = 0; i < end.length; i++) {
    while (open.length && end[open[open.length - 1]!]! <= i) active[group[open.pop()!]!]!--
    const g = group[i]!
    if (g < 0) continue
    own[g]! += self[i]!
    if (active[g]!++ === 0) sums[g]! += total[i]!
    open.push(i)
  }
  return { own, total: sums }
}

/** Row is a function with its own values and totals, in the graph's columns. */
export interface Row { fn: number, own: number[], total: number[] }

/** table is a row for each function of a graph. */
export function table(g: Graph): Row[] {
  const columns = g.self.map((s, c) => tally(g.end, g.fn, g.functions.names.length, s, g.total[c]!))
  const there = new Uint8Array(g.functions.names.length)
  for (let i = 0; i < g.size; i++) if (g.fn[i]! >= 0) there[g.fn[i]!] = 1
  const rows: Row[] = []
  there.forEach((yes, fn) => { if (yes) rows.push({ fn, own: columns.map(c => c.own[fn]!), total: columns.map(c => c.total[fn]!) }) })
  return rows
}

/** Cost is what one file or line has. */
export interface Cost { own: number, total: number }

/** files is the cost of each source file. */
export function files(t: Tree, functions: Functions, values: Float64Array): Map<string, Cost> {
  const numbers = new Map<string, number>()
  const of = functions.files.map(file => {
    if (!file) return -1
    if (!numbers.has(file)) numbers.set(file, numbers.size)
    return numbers.get(file)!
  })
  const group = t.fn.map(fn => fn < 0 ? -1 : of[fn]!)
  const sums = tally(t.end, group, numbers.size, values, totals(t.parent, values))
  const out = new Map<string, Cost>()
  for (const [file, n] of numbers) if (sums.total[n]) out.set(file, { own: sums.own[n]!, total: sums.total[n]! })
  return out
}

/** lines is the cost of each line of a file. */
export function lines(t: Tree, functions: Functions, values: Float64Array, file: string): Map<number, Cost> {
  let last = 0
  for (let i = 0; i < t.size; i++) last = Math.max(last, t.line[i]!)
  const group = t.fn.map((fn, i) => fn >= 0 && functions.files[fn] === file && t.line[i]! > 0 ? t.line[i]! : -1)
  const sums = tally(t.end, group, last + 1, values, totals(t.parent, values))
  const out = new Map<number, Cost>()
  for (let n = 1; n <= last; n++) if (sums.total[n]) out.set(n, { own: sums.own[n]!, total: sums.total[n]! })
  return out
}

/** Found is what a search matches: functions by number, and how much of the whole has one of them on its stack. */
export interface Found { functions: Uint8Array, count: number, total: number[], error: string }

/** search finds functions by a part of their name, in any case, or by /a regular expression/. */
export function search(g: Graph, query: string): Found | null {
  if (!query) return null
  const found: Found = { functions: new Uint8Array(g.functions.names.length), count: 0, total: g.total.map(() => 0), error: '' }
  const test = matcher(query)
  if (typeof test === 'string') return { ...found, error: test }
  g.functions.names.forEach((name, fn) => { if (test(name)) found.functions[fn] = 1 })
  const seen = new Set<number>()
  for (let i = 1; i < g.size; i++) if (found.functions[g.fn[i]!]) seen.add(g.fn[i]!)
  found.count = seen.size
  for (let i = 0; i < g.size;) {
    if (g.fn[i]! >= 0 && found.functions[g.fn[i]!]) {
      g.total.forEach((t, c) => { found.total[c]! += t[i]! })
      i = g.end[i]!
    } else i++
  }
  return found
}

/** matcher tests names; it is a sentence if the query is no regular expression. */
export function matcher(query: string): ((name: string) => boolean) | string {
  const regular = /^\/(.+)\/(i?)$/.exec(query)
  if (!regular) {
    const low = query.toLowerCase()
    return name => name.toLowerCase().includes(low)
  }
  try {
    const expression = new RegExp(regular[1]!, regular[2])
    return name => expression.test(name)
  } catch (e) {
    return (e as Error).message
  }
}
