// Latency over time: how many answers each cell has, from few to many.

import { useCallback, useMemo, useState } from 'preact/hooks'
import type { HeatMap as Data } from '../../model'
import { linearTicks, logTicks, quantity, seconds } from '../../format/units'
import { Canvas, Tip } from '../../components/canvas'
import { Chart } from '../../components/chart'
import { DataTable } from '../../components/table'
import { colour } from '../../theme'

const height = 280
const room = { left: 68, right: 16, top: 8, bottom: 32 }
const shades = ['--heat-0', '--heat-1', '--heat-2', '--heat-3']

interface Cell { column: number, row: number, width: number }

/** HeatMap draws one. Shades are of the logarithm of counts, so that a single slow answer is seen. */
export function HeatMap({ of }: { of: Data }) {
  const [at, setAt] = useState<Cell | null>(null)
  const ext = useMemo(() => extent(of), [of])
  const from = of.seconds[0] ?? 0, to = of.seconds[of.seconds.length - 1] ?? 1
  const low = Math.log(ext.low), high = Math.log(ext.high)
  const X = (s: number, w: number) => room.left + (w - room.left - room.right) * (s - from) / (to - from || 1)
  const Y = (ns: number) => height - room.bottom - (height - room.top - room.bottom) * (Math.log(Math.max(ns, ext.low)) - low) / (high - low || 1)

  const draw = useCallback((ctx: CanvasRenderingContext2D, w: number) => {
    const shade = ramp(shades.map(s => colour(s)))
    ctx.font = '12px system-ui, sans-serif'
    of.counts.forEach((column, i) => {
      const x = Math.floor(X(of.seconds[i]!, w)), right = Math.floor(X(of.seconds[i + 1]!, w))
      column.forEach((n, j) => {
        if (!n) return
        const top = Math.floor(Y(of.bounds_ns[j + 1]!)), foot = Math.floor(Y(of.bounds_ns[j]!))
        ctx.fillStyle = shade(ext.most > 1 ? Math.log(n) / Math.log(ext.most) : 1)
        ctx.fillRect(x, top, Math.max(1, right - x), Math.max(1, foot - top))
      })
    })
    ctx.textBaseline = 'middle'
    ctx.textAlign = 'right'
    for (const t of logTicks(ext.low, ext.high)) {
      ctx.fillStyle = colour('--grid')
      ctx.globalAlpha = 0.6
      ctx.fillRect(room.left, Math.round(Y(t)), w - room.left - room.right, 1)
      ctx.globalAlpha = 1
      ctx.fillStyle = colour('--muted')
      ctx.fillText(quantity(t, 'ns'), room.left - 10, Y(t))
    }
    ctx.textAlign = 'center'
    ctx.textBaseline = 'top'
    ctx.fillStyle = colour('--muted')
    for (const t of linearTicks(from, to, Math.max(3, Math.floor(w / 130)))) ctx.fillText(seconds(t), Math.min(X(t, w), w - room.right - 12), height - room.bottom + 8)
    ctx.fillStyle = colour('--line-strong')
    ctx.fillRect(room.left, height - room.bottom, w - room.left - room.right, 1)
  }, [of])

  const point = (x: number, y: number, width: number) => {
    const column = of.seconds.findIndex((s, i) => i < of.counts.length && X(s, width) <= x && x < X(of.seconds[i + 1]!, width))
    const row = of.bounds_ns.findIndex((b, i) => i + 1 < of.bounds_ns.length && Y(b) >= y && y > Y(of.bounds_ns[i + 1]!))
    setAt(column < 0 || row < 0 ? null : { column, row, width })
  }
  const key = (e: KeyboardEvent) => {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key] ?? [0, 0]
    if (!dx && !dy) return
    e.preventDefault()
    const width = (e.currentTarget as HTMLElement).clientWidth
    const now = at ?? { column: 0, row: ext.first, width }
    setAt({ width, column: Math.max(0, Math.min(of.counts.length - 1, now.column + dx!)), row: Math.max(ext.first, Math.min(ext.last, now.row + dy!)) })
  }
  const total = (i: number) => of.counts[i]!.reduce((s, n) => s + n, 0)
  return (
    <Chart id="heatmap" legend={<Scale most={ext.most} />} data={() => <HeatTable of={of} />}>
      <Canvas height={height} draw={draw} onPoint={point} onLeave={() => setAt(null)} onKey={key}
        summary={`Latency over ${seconds(to - from)}: answers from ${quantity(ext.low, 'ns')} to ${quantity(ext.high, 'ns')}, at most ${ext.most} in one cell`}>
        {at && (
          <Tip x={X(of.seconds[at.column]!, at.width)} y={Y(of.bounds_ns[at.row + 1]!)} width={at.width}>
            <b>{(of.counts[at.column]![at.row] ?? 0).toLocaleString('en-US')}</b> of {total(at.column).toLocaleString('en-US')} answers
            <div class="muted">{quantity(of.bounds_ns[at.row]!, 'ns')} to {quantity(of.bounds_ns[at.row + 1]!, 'ns')}</div>
            <div class="muted">{seconds(of.seconds[at.column]!)} to {seconds(of.seconds[at.column + 1]!)}</div>
          </Tip>
        )}
      </Canvas>
    </Chart>
  )
}

/** extent is the part of the map that has answers. */
function extent(of: Data): { low: number, high: number, most: number, first: number, last: number } {
  let first = Infinity, last = 0, most = 0
  for (const c of of.counts) c.forEach((n, j) => {
    if (!n) return
    first = Math.min(first, j)
    last = Math.max(last, j)
    most = Math.max(most, n)
  })
  if (first === Infinity) first = 0
  const low = of.bounds_ns[first] ?? 1, high = of.bounds_ns[last + 1] ?? 10
  return { low: low > 0 ? low : Math.max(high / 1e4, 1), high, most, first, last }
}

/** ramp mixes colours along a scale from 0 to 1. */
function ramp(colours: string[]): (v: number) => string {
  const parts = colours.map(c => (c.match(/[\d.]+/g) ?? []).map(Number))
  return v => {
    const x = Math.max(0, Math.min(1, v)) * (parts.length - 1), i = Math.min(parts.length - 2, Math.floor(x)), f = x - i
    const mix = [0, 1, 2].map(k => Math.round(parts[i]![k]! * (1 - f) + parts[i + 1]![k]! * f))
    return `rgb(${mix.join(',')})`
  }
}

function Scale({ most }: { most: number }) {
  const id = 'heat-scale'
  return (
    <span class="legend" data-test="legend">
      <span class="muted">1 answer</span>
      <svg width="120" height="12" aria-hidden="true">
        <defs><linearGradient id={id}>{shades.map((s, i) => <stop key={s} offset={i / (shades.length - 1)} style={{ stopColor: `var(${s})` }} />)}</linearGradient></defs>
        <rect width="120" height="12" rx="2" fill={`url(#${id})`} />
      </svg>
      <span class="muted">{most.toLocaleString('en-US')}</span>
    </span>
  )
}

function HeatTable({ of }: { of: Data }) {
  const rows = of.counts.flatMap((c, i) => c.map((n, j) => ({ i, j, n }))).filter(r => r.n)
  return <DataTable name="Answers by time and latency" rows={rows} columns={[
    { name: 'from', number: true, text: r => seconds(of.seconds[r.i]!), value: r => of.seconds[r.i]! },
    { name: 'latency from', number: true, text: r => quantity(of.bounds_ns[r.j]!, 'ns'), value: r => of.bounds_ns[r.j]! },
    { name: 'to', number: true, text: r => quantity(of.bounds_ns[r.j + 1]!, 'ns'), value: r => of.bounds_ns[r.j + 1]! },
    { name: 'answers', number: true, text: r => r.n.toLocaleString('en-US'), value: r => r.n },
  ]} />
}
