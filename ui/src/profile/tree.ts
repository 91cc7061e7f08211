// A packed profile as typed arrays. Nodes are in preorder: the subtree of node i is i to end[i], its parent stands before it.

import { shortName } from '../format/names'
import type { Packed, PackedType } from '../model'

/** Functions are all functions of the profiles that are looked at together, by number. */
export class Functions {
  readonly names: string[] = []
  readonly files: string[] = []
  readonly packages: string[] = []
  /** origins are letters: u the user's module, d a dependency, s the standard library, r the runtime, k the collector, o other. */
  readonly origins: string[] = []
  readonly hashes: number[] = []
  private readonly numbers = new Map<string, number>()

  /** add returns the number of a function, which is known by its name. */
  add(name: string, file: string, pkg: string, origin: string): number {
    const known = this.numbers.get(name)
    if (known !== undefined) return known
    const n = this.names.length
    this.names.push(name)
    this.files.push(file)
    this.packages.push(pkg)
    this.origins.push(origin)
    this.hashes.push(hash(name))
    this.numbers.set(name, n)
    return n
  }

  /** find is the number of a name, or -1. */
  find(name: string): number {
    return this.numbers.get(name) ?? -1
  }

  /** short is a name as drawings have it. */
  short(n: number): string {
    return shortName(this.names[n] ?? '')
  }
}

function hash(text: string): number { // FNV-1a
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h >>> 0
}

/** Tree is a call tree of lines. */
export interface Tree {
  size: number
  fn: Int32Array
  line: Int32Array
  depth: Int32Array
  parent: Int32Array
  end: Int32Array
  /** self has the values of each sample type, blamed those of type number blames with the collector's work handed out. */
  self: Float64Array[]
  blamed?: Float64Array
  blames: number
  types: PackedType[]
}

/** unpack makes a tree of what the server sent. Its functions get their numbers from all. */
export function unpack(p: Packed, all: Functions): Tree {
  const numbers = p.name_of.map((n, i) => all.add(p.strings[n] ?? '', p.strings[p.file_of[i]!] ?? '', p.strings[p.package_of[i]!] ?? '', p.origin_of[i] ?? 'o'))
  const size = p.depth.length
  const t: Tree = {
    size, fn: new Int32Array(size), line: Int32Array.from(p.line), depth: Int32Array.from(p.depth),
    parent: new Int32Array(size), end: new Int32Array(size),
    self: p.self.map(s => Float64Array.from(s)), types: p.types, blames: Math.max(0, p.types.findIndex(t => t.default)),
  }
  if (p.blamed?.length === size) t.blamed = Float64Array.from(p.blamed)
  const open: number[] = []
  for (let i = 0; i < size; i++) {
    const f = p.function[i]!
    t.fn[i] = f < 0 ? -1 : numbers[f]!
    const depth = t.depth[i]!
    while (open.length > depth) t.end[open.pop()!] = i
    t.parent[i] = depth > 0 ? open[depth - 1]! : -1
    open.push(i)
  }
  for (const i of open) t.end[i] = size
  return t
}

/** sum is what all nodes have together. */
export function sum(values: Float64Array): number {
  let s = 0
  for (let i = 0; i < values.length; i++) s += values[i]!
  return s
}

/** totals adds up what each node and those below it have. */
export function totals(parent: Int32Array, self: Float64Array): Float64Array {
  const total = self.slice()
  for (let i = total.length - 1; i > 0; i--) total[parent[i]!]! += total[i]!
  return total
}
