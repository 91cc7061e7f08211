// The painter of flame graphs: one pass over what can be seen, on a canvas.

import type { Found } from './tally'
import type { Graph } from './grow'
import { change, signed } from './format'

/** row is the height of a frame, in CSS pixels. */
export const row = 20

/** thinnest is the width under which a frame is not drawn, in CSS pixels. */
const thinnest = 0.3

/** Colours are those of the page, in forms that a canvas takes. */
export interface Colours {
  origins: Record<string, { fill: string, text: string }>
  less: string[]
  more: string[]
  diffText: string
  strongText: string
  match: string
  matchText: string
  page: string
  focus: string
}

/** View is the part of a graph that is seen: x from 0 to 1 of the root, the depth at the top. */
export interface View { from: number, to: number, top: number }

export class Painter {
  readonly left: Float64Array
  readonly width: Float64Array
  found: Found | null = null
  selected = -1
  hovered = -1
  private readonly advances = new Map<string, number>()

  /** widths are the values that the frames are as wide as. With flip the root is at the bottom. */
  constructor(readonly graph: Graph, widths: Float64Array, private readonly unit: string, readonly flip = false) {
    const { size, parent } = graph
    this.left = new Float64Array(size)
    this.width = new Float64Array(size)
    const next = new Float64Array(size)
    const whole = widths[0] || 1
    for (let i = 0; i < size; i++) {
      const w = Math.max(0, widths[i]! / whole), up = parent[i]!
      this.width[i] = w
      this.left[i] = up < 0 ? 0 : next[up]!
      if (up >= 0) next[up]! += w
      next[i] = this.left[i]!
    }
  }

  /** y is where the top of a depth is. */
  private y(depth: number, view: View, height: number, scroll: number): number {
    const down = (depth - view.top) * row
    return this.flip ? height - row - down + scroll : down - scroll
  }

  /** at is the node at a point, or -1. */
  at(x: number, y: number, view: View, width: number, height: number, scroll: number): number {
    const depth = Math.floor((this.flip ? height - y + scroll : y + scroll) / row) + view.top
    const position = view.from + x / width * (view.to - view.from)
    const { end, depth: depths, size } = this.graph
    for (let i = 0; i < size;) {
      if (this.left[i]! > position) return -1
      if (this.left[i]! + this.width[i]! <= position) { i = end[i]!; continue }
      if (depths[i] === depth) return i
      i++
    }
    return -1
  }

  /** paint draws the frames that are wide enough and inside of the canvas. It returns how many. */
  paint(ctx: CanvasRenderingContext2D, view: View, width: number, height: number, scroll: number, colours: Colours): number {
    const { end, depth, size, fn } = this.graph
    const scale = width / (view.to - view.from)
    ctx.fillStyle = colours.page
    ctx.fillRect(0, 0, width, height)
    ctx.textBaseline = 'middle'
    ctx.font = '12px ' + sans
    let drawn = 0
    for (let i = 0; i < size;) {
      const x = (this.left[i]! - view.from) * scale, w = this.width[i]! * scale
      if (w < thinnest || x + w < 0 || x > width) { i = end[i]!; continue }
      const y = this.y(depth[i]!, view, height, scroll)
      if (this.flip ? y < -row : y > height) { i = end[i]!; continue }
      if (y > -row && y < height) {
        const from = Math.max(0, x), to = Math.min(width, x + w)
        this.frame(ctx, i, fn[i]!, from, y, to - from, colours)
        drawn++
      }
      i++
    }
    this.outline(ctx, this.hovered, view, width, height, scroll, colours.focus, 1)
    this.outline(ctx, this.selected, view, width, height, scroll, colours.focus, 2)
    return drawn
  }

  private frame(ctx: CanvasRenderingContext2D, i: number, fn: number, x: number, y: number, w: number, c: Colours): void {
    const { fill, text, quiet } = this.look(i, fn, c)
    ctx.globalAlpha = quiet ? 0.35 : 1
    ctx.fillStyle = fill
    ctx.fillRect(x, y, w > 2 ? w - 1 : w > 1 ? w - 0.4 : w, row - 1)
    if (w > 26) {
      const label = this.cut(ctx, this.label(i, fn, w), w - 9)
      if (label) {
        ctx.fillStyle = text
        ctx.fillText(label, x + 4, y + row / 2)
      }
    }
    ctx.globalAlpha = 1
  }

  /** look is how a frame is coloured: by what a search found, by the difference, or by whose code it is. */
  look(i: number, fn: number, c: Colours): { fill: string, text: string, quiet: boolean } {
    const { graph, found } = this
    if (found && !found.error && fn >= 0 && found.functions[fn]) return { fill: c.match, text: c.matchText, quiet: false }
    const quiet = !!found && !found.error
    if (graph.total.length > 1) {
      const a = graph.total[0]![i]!, b = graph.total[1]![i]!, most = Math.max(Math.abs(a), Math.abs(b))
      const part = most ? (b - a) / most : 0
      const shades = part < 0 ? c.less : c.more
      const n = Math.min(shades.length - 1, Math.ceil(Math.abs(part) * (shades.length - 1) - 0.02 * shades.length))
      return { fill: shades[Math.max(0, n)]!, text: n >= shades.length - 2 ? c.strongText : c.diffText, quiet }
    }
    return { ...(c.origins[fn < 0 ? 'root' : graph.functions.origins[fn]!] ?? c.origins['o']!), quiet }
  }

  private label(i: number, fn: number, w: number): string {
    const { graph } = this
    const name = fn < 0 ? 'all' : graph.functions.short(fn)
    if (graph.total.length < 2) return name
    const a = graph.total[0]![i]!, b = graph.total[1]![i]!
    const sign = b > a ? '+' : b < a ? '−' : '='
    return w > 150 ? `${sign} ${name}  ${signed(b - a, this.unit)} (${change(a, b) || '0 %'})` : `${sign} ${name}`
  }

  private outline(ctx: CanvasRenderingContext2D, i: number, view: View, width: number, height: number, scroll: number, colour: string, thick: number): void {
    if (i < 0 || i >= this.graph.size) return
    const scale = width / (view.to - view.from)
    const x = Math.max(0, (this.left[i]! - view.from) * scale), to = Math.min(width, (this.left[i]! + this.width[i]! - view.from) * scale)
    const y = this.y(this.graph.depth[i]!, view, height, scroll)
    if (to <= x || y < -row || y > height) return
    ctx.strokeStyle = colour
    ctx.lineWidth = thick
    ctx.strokeRect(x + thick / 2, y + thick / 2, Math.max(2, to - x - thick - 1), row - 1 - thick)
  }

  /** cut shortens a text to a width, with an ellipsis; it is empty where not even three letters have room. */
  private cut(ctx: CanvasRenderingContext2D, text: string, room: number): string {
    let at = 0, fits = 0
    const dots = this.advance(ctx, '…')
    for (let i = 0; i < text.length; i++) {
      at += this.advance(ctx, text[i]!)
      if (at <= room - dots) fits = i + 1
      if (at > room) return fits < 3 ? '' : text.slice(0, fits) + '…'
    }
    return text
  }

  private advance(ctx: CanvasRenderingContext2D, letter: string): number {
    let w = this.advances.get(letter)
    if (w === undefined) {
      w = ctx.measureText(letter).width
      this.advances.set(letter, w)
    }
    return w
  }
}

const sans = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif'
