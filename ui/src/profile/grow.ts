// Trees of functions, grown from stacks: what a flame graph draws. One or two profiles are in a graph, side by side.

import { totals, type Functions, type Tree } from './tree'

/** Graph is a tree of functions in preorder, the heaviest child first. Values stand in columns: A, and B in a difference. */
export interface Graph {
  functions: Functions
  size: number
  /** fn is the function of each node; -1 at the root of a whole profile. */
  fn: Int32Array
  parent: Int32Array
  end: Int32Array
  depth: Int32Array
  /** key names a node by the functions on its path. It is the same in other graphs. */
  key: Uint32Array
  self: Float64Array[]
  total: Float64Array[]
  deepest: number
}

/** Grower is a graph on its way: nodes are added below others, each function once below each parent. */
class Grower {
  size = 1
  private fn: Int32Array
  private parent: Int32Array
  private self: Float64Array[]
  private slots: Int32Array // hash table of nodes by parent and function, with open addressing; 0 is free
  private mask: number

  constructor(private readonly functions: Functions, root: number, columns: number, room = 1024) {
    this.fn = new Int32Array(room)
    this.parent = new Int32Array(room)
    this.self = Array.from({ length: columns }, () => new Float64Array(room))
    let slots = 2048
    while (slots < room * 2) slots *= 2
    this.slots = new Int32Array(slots)
    this.mask = slots - 1
    this.fn[0] = root
    this.parent[0] = -1
  }

  /** child is the node of a function below another. */
  child(parent: number, fn: number): number {
    let slot = place(parent, fn) & this.mask
    for (let n = this.slots[slot]!; n; n = this.slots[slot]!) {
      if (this.parent[n] === parent && this.fn[n] === fn) return n
      slot = slot + 1 & this.mask
    }
    if (this.size === this.fn.length) this.widen()
    const n = this.size++
    this.fn[n] = fn
    this.parent[n] = parent
    this.slots[slot] = n
    if (this.size * 2 > this.mask) this.rehash()
    return n
  }

  add(node: number, column: number, v: number): void {
    this.self[column]![node]! += v
  }

  private widen(): void {
    const wide = this.fn.length * 2
    const ints = (from: Int32Array) => { const to = new Int32Array(wide); to.set(from); return to }
    this.fn = ints(this.fn)
    this.parent = ints(this.parent)
    this.self = this.self.map(from => { const to = new Float64Array(wide); to.set(from); return to })
  }

  private rehash(): void {
    this.slots = new Int32Array((this.mask + 1) * 2)
    this.mask = this.slots.length - 1
    for (let n = 1; n < this.size; n++) {
      let slot = place(this.parent[n]!, this.fn[n]!) & this.mask
      while (this.slots[slot]) slot = slot + 1 & this.mask
      this.slots[slot] = n
    }
  }

  /** done puts the nodes into preorder, the heaviest children first. */
  done(): Graph {
    const { size, functions } = this
    const parent = this.parent.subarray(0, size)
    const own = this.self.map(s => s.subarray(0, size))
    const sums = own.map(s => totals(parent, s))
    const weight = sums.length === 1 ? sums[0]! : sums[0]!.map((v, i) => Math.abs(v) + Math.abs(sums[1]![i]!))
    const first = new Int32Array(size + 1)
    for (let n = 1; n < size; n++) first[parent[n]! + 1]!++
    for (let n = 0; n < size; n++) first[n + 1]! += first[n]!
    const children = new Int32Array(Math.max(0, size - 1))
    const next = first.slice()
    for (let n = 1; n < size; n++) children[next[parent[n]!]!++] = n
    const g: Graph = {
      functions, size, deepest: 0, fn: new Int32Array(size), parent: new Int32Array(size), end: new Int32Array(size), depth: new Int32Array(size),
      key: new Uint32Array(size), self: own.map(() => new Float64Array(size)), total: own.map(() => new Float64Array(size)),
    }
    const waiting = [0], above = [-1], open: number[] = []
    let at = 0
    while (waiting.length) {
      const n = waiting.pop()!, up = above.pop()!
      const depth = up < 0 ? 0 : g.depth[up]! + 1
      while (open.length > depth) g.end[open.pop()!] = at
      open.push(at)
      const fn = this.fn[n]!
      g.fn[at] = fn
      g.parent[at] = up
      g.depth[at] = depth
      if (depth > g.deepest) g.deepest = depth
      g.key[at] = up < 0 ? 1 : Math.imul(g.key[up]! ^ functions.hashes[fn]!, 0x01000193) + depth >>> 0
      own.forEach((s, c) => { g.self[c]![at] = s[n]!; g.total[c]![at] = sums[c]![n]! })
      const list = children.subarray(first[n]!, first[n + 1]!)
      if (list.length > 1) list.sort((x, y) => weight[y]! - weight[x]!)
      for (let i = list.length - 1; i >= 0; i--) { waiting.push(list[i]!); above.push(at) }
      at++
    }
    for (const n of open) g.end[n] = size
    return g
  }
}

function place(parent: number, fn: number): number {
  let h = Math.imul(parent, 0x9e3779b1) ^ Math.imul(fn + 1, 0x85ebca6b)
  h ^= h >>> 15
  h = Math.imul(h, 0x2c1b3c6d)
  return (h ^ h >>> 13) >>> 0
}

/** Side is a profile in a graph: its tree, the values of its nodes, and what they are multiplied with. */
export interface Side { tree: Tree, values: Float64Array, scale: number }

/** outside is the frame of what has none of the user's code on its stack, where only that is shown. */
export const outside = '(no code of yours)'

/** grow merges the lines of each function, and the stacks of all sides. With fold only the user's frames stay: what lies
 * below them becomes their own. */
export function grow(functions: Functions, sides: Side[], fold = false): Graph {
  const g = new Grower(functions, -1, sides.length, Math.max(...sides.map(s => s.tree.size)) + 1)
  sides.forEach(({ tree, values, scale }, column) => {
    const at = new Int32Array(tree.size)
    for (let i = 1; i < tree.size; i++) {
      const up = at[tree.parent[i]!]!, fn = tree.fn[i]!
      at[i] = fold && functions.origins[fn] !== 'u' ? up : g.child(up, fn)
    }
    let other = 0
    for (let i = 0; i < tree.size; i++) {
      const v = values[i]!
      if (!v) continue
      let to = at[i]!
      if (fold && to === 0) to = other ||= g.child(0, functions.add(outside, '', '', 'o'))
      g.add(to, column, v * scale)
    }
  })
  return g.done()
}

/** outermost calls visit with every node of a function that is not below another one of it. */
function outermost(g: Graph, fn: number, visit: (node: number) => void): void {
  for (let i = 0; i < g.size;) {
    if (g.fn[i] === fn) { visit(i); i = g.end[i]! } else i++
  }
}

/** callees is the tree below a function, over all places that call it. Recursion is counted once. */
export function callees(g: Graph, fn: number): Graph {
  const out = new Grower(g.functions, fn, g.self.length)
  const at = new Int32Array(g.size)
  outermost(g, fn, node => {
    for (let i = node; i < g.end[node]!; i++) {
      at[i] = i === node ? 0 : out.child(at[g.parent[i]!]!, g.fn[i]!)
      g.self.forEach((s, c) => out.add(at[i]!, c, s[i]!))
    }
  })
  return out.done()
}

/** callers is the tree of a function's callers: below the root stand those that call it, below them theirs. */
export function callers(g: Graph, fn: number): Graph {
  const out = new Grower(g.functions, fn, g.self.length)
  outermost(g, fn, node => {
    let at = 0
    for (let up = g.parent[node]!; up > 0; up = g.parent[up]!) at = out.child(at, g.fn[up]!)
    g.total.forEach((t, c) => out.add(at, c, t[node]!))
  })
  return out.done()
}

/** find is the node with a key, or -1. */
export function find(g: Graph, key: number): number {
  return g.key.indexOf(key)
}

/** heaviest is the node of a function that has most, or -1. */
export function heaviest(g: Graph, fn: number): number {
  let best = -1, most = -1
  for (let i = 0; i < g.size; i++) {
    if (g.fn[i] !== fn) continue
    const v = g.total.reduce((s, t) => s + Math.abs(t[i]!), 0)
    if (v > most) { most = v; best = i }
  }
  return best
}
