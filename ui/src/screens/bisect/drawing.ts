// The drawing of a history: where each commit stands, and the marks.

import type { BisectPlace } from '../../model'
import { linearTicks, percent, quantity } from '../../format/units'
import { colour } from '../../theme'

const room = { left: 68, right: 14, top: 40, middle: 34, bottom: 48 }
const curve = 210, strip = 56
const foot = room.top + curve, stripTop = foot + room.middle, stripFoot = stripTop + strip

/** height is that of the drawing in CSS pixels. */
export const height = stripFoot + room.bottom

/** Scale says where things stand, in CSS pixels: the middle of a place, a change of the measure, a probability. */
export interface Scale {
  x: (place: number) => number
  y: (change: number) => number
  p: (probability: number) => number
  /** cell is the width of a place; low to high are the changes that are shown, most the largest probability. */
  cell: number
  low: number
  high: number
  most: number
}

/** scaleOf is the scale of a drawing of this width. */
export function scaleOf(places: BisectPlace[], width: number): Scale {
  const [low, high] = range(places)
  const most = rounded(Math.max(...places.map(p => p.probability)))
  const cell = (width - room.left - room.right) / places.length
  const y = (v: number) => foot - curve * (Math.max(low, Math.min(high, v)) - low) / (high - low)
  return { x: i => room.left + cell * (i + 0.5), y, p: v => stripFoot - strip * Math.min(1, v / most), cell, low, high, most }
}

/** placeAt is the place at a pointer. */
export function placeAt(places: BisectPlace[], x: number, width: number): number {
  return Math.max(0, Math.min(places.length - 1, Math.floor((x - room.left) / scaleOf(places, width).cell)))
}

/** range is what of the changes is shown: all levels, and their intervals as far as those leave the levels apart. */
function range(places: BisectPlace[]): [number, number] {
  const some = places.filter(p => p.ratio)
  const levels = [0, ...some.map(p => p.ratio! - 1)]
  const low = Math.min(...levels), high = Math.max(...levels), more = Math.max(high - low, 0.01)
  const least = Math.max(low - more, Math.min(low, ...some.map(p => p.low! - 1)))
  const most = Math.min(high + more, Math.max(high, ...some.map(p => p.high! - 1)))
  const pad = (most - least || 0.01) * 0.08
  return [least - pad, most + pad]
}

/** rounded is the next round share above a probability. */
const rounded = (p: number) => [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find(v => v >= p) ?? 1

/** drawHistory draws the places. */
export function drawHistory(ctx: CanvasRenderingContext2D, places: BisectPlace[], width: number): void {
  const s = scaleOf(places, width)
  ctx.font = '12px system-ui, sans-serif'
  drawGrid(ctx, s, width - room.right)
  drawFound(ctx, places, s)
  drawTicks(ctx, places, s, width - room.right)
  drawLevels(ctx, places, s)
  drawSkipped(ctx, places, s)
  drawLikely(ctx, places, s)
}

function drawGrid(ctx: CanvasRenderingContext2D, s: Scale, right: number): void {
  const line = (y: number, text: string, strong: boolean) => {
    ctx.fillStyle = colour(strong ? '--line-strong' : '--grid')
    ctx.fillRect(room.left, Math.round(y), right - room.left, 1)
    ctx.fillStyle = colour('--muted')
    ctx.fillText(text, room.left - 10, y)
  }
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'right'
  for (const t of linearTicks(s.low, s.high, 5)) line(s.y(t), t === 0 ? '0' : percent(t), t === 0)
  for (const t of [0, s.most]) line(s.p(t), quantity(t, 'share'), t === 0)
  ctx.textAlign = 'left'
  ctx.fillText('change', room.left, room.top - 32)
  ctx.fillText('probability of a step', room.left, stripTop - 14)
}

/** drawFound marks what was found through both drawings, with the hash above where there is room. */
function drawFound(ctx: CanvasRenderingContext2D, places: BisectPlace[], s: Scale): void {
  const wide = Math.max(3, s.cell)
  let free = room.left
  places.forEach((p, i) => {
    if (!p.found) return
    const x = s.x(i)
    ctx.fillStyle = colour('--b-soft')
    ctx.fillRect(x - wide / 2, room.top - 6, wide, stripFoot - room.top + 6)
    if (places[i - 1]?.found) return // the first one of neighbours has the mark
    ctx.fillStyle = colour('--b')
    ctx.beginPath()
    ctx.moveTo(x, room.top - 16)
    ctx.lineTo(x - 5, room.top - 7)
    ctx.lineTo(x + 5, room.top - 7)
    ctx.fill()
    const name = p.commit.slice(0, 7), long = ctx.measureText(name).width
    const from = i > places.length / 2 ? x - 10 - long : x + 10
    if (from < free) return
    free = from + long + 10
    ctx.textAlign = 'left'
    ctx.fillStyle = colour('--b-text')
    ctx.fillText(name, from, room.top - 11)
  })
}

/** drawTicks names some commits, and both ends. */
function drawTicks(ctx: CanvasRenderingContext2D, places: BisectPlace[], s: Scale, right: number): void {
  const step = Math.ceil(places.length / Math.max(2, Math.min(8, Math.floor((right - room.left) / 90))))
  ctx.textBaseline = 'top'
  ctx.textAlign = 'center'
  ctx.fillStyle = colour('--muted')
  for (let i = 0; i < places.length; i += step) {
    ctx.fillText(places[i]!.commit.slice(0, 7), Math.max(room.left + 26, Math.min(s.x(i), right - 26)), stripFoot + 8)
  }
  ctx.textAlign = 'left'
  ctx.fillText('good end', room.left, stripFoot + 26)
  ctx.textAlign = 'right'
  ctx.fillText('bad end', right, stripFoot + 26)
  ctx.textBaseline = 'middle'
}

/** drawLevels draws what was compared, with a thin line from one place to the next. */
function drawLevels(ctx: CanvasRenderingContext2D, places: BisectPlace[], s: Scale): void {
  ctx.strokeStyle = ctx.fillStyle = colour('--a')
  ctx.lineWidth = 1
  ctx.beginPath()
  places.forEach((p, i) => { if (p.ratio) ctx.lineTo(s.x(i), s.y(p.ratio - 1)) })
  ctx.stroke()
  ctx.lineWidth = 1.6
  places.forEach((p, i) => {
    if (!p.ratio) return
    const x = s.x(i), top = s.y(p.high! - 1), bottom = s.y(p.low! - 1), cap = Math.min(5, Math.max(2, s.cell / 2))
    ctx.beginPath()
    for (const y of [top, bottom]) { ctx.moveTo(x - cap, y); ctx.lineTo(x + cap, y) }
    ctx.moveTo(x, top)
    ctx.lineTo(x, bottom)
    ctx.stroke()
    ctx.fillStyle = colour(p.found ? '--b' : '--a')
    ctx.beginPath()
    ctx.arc(x, s.y(p.ratio - 1), 4, 0, 7)
    ctx.fill()
  })
}

function drawSkipped(ctx: CanvasRenderingContext2D, places: BisectPlace[], s: Scale): void {
  ctx.strokeStyle = colour('--warning')
  ctx.lineWidth = 1.8
  places.forEach((p, i) => {
    if (!p.skipped) return
    const x = s.x(i), y = foot - 8
    ctx.beginPath()
    ctx.moveTo(x - 4, y - 4)
    ctx.lineTo(x + 4, y + 4)
    ctx.moveTo(x + 4, y - 4)
    ctx.lineTo(x - 4, y + 4)
    ctx.stroke()
  })
}

function drawLikely(ctx: CanvasRenderingContext2D, places: BisectPlace[], s: Scale): void {
  const wide = Math.max(1, s.cell * 0.7)
  places.forEach((p, i) => {
    if (p.probability < 0.0005) return
    ctx.fillStyle = colour(p.found ? '--b' : '--a')
    const top = Math.min(stripFoot - 1, s.p(p.probability))
    ctx.fillRect(s.x(i) - wide / 2, top, wide, stripFoot - top)
  })
}
