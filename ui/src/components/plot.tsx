// Line charts by uPlot, in the page's colours, with readings under the pointer or the arrow keys.

import { useEffect, useRef } from 'preact/hooks'
import { effect } from '@preact/signals'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { colour } from '../theme'

export interface Line {
  name: string
  /** colour is a CSS variable: "--a". */
  colour: string
  dash?: number[]
  width?: number
  /** points draws marks: filled, hollow, or none. */
  points?: 'filled' | 'hollow'
  /** line false draws marks only. */
  line?: boolean
  fill?: string
}

export interface PlotProps {
  height: number
  data: uPlot.AlignedData
  lines: Line[]
  summary: string
  /** x and y write the ticks; ticks say where they are, where round numbers are wrong. Values that are signed have room
   * below 0. */
  x: { text: (v: number) => string, ticks?: (low: number, high: number) => number[], range?: [number, number], hidden?: boolean }
  y: { text: (v: number) => string, log?: boolean, zero?: boolean, signed?: boolean, range?: [number, number], ticks?: (low: number, high: number) => number[] }
  bands?: { high: number, low: number, colour: string }[]
  /** sync is the group whose pointers move together. */
  sync?: string
  /** over draws on top, with colours of the theme. */
  over?: (u: uPlot) => void
  under?: (u: uPlot) => void
  onIndex?: (i: number | null) => void
  onPick?: (i: number) => void
  /** zoom lets a pointer that is dragged choose a part of x; a double click shows all again. */
  zoom?: boolean
}

/** Plot draws lines over a common x. Left and right move the reading, Home and End to the ends, Enter picks. */
export function Plot(props: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const latest = useRef(props)
  latest.current = props
  const shape = JSON.stringify([props.lines, props.height, props.sync, props.bands, props.y.log, props.x.range, props.y.range])
  useEffect(() => {
    const outer = box.current!
    const watch = new ResizeObserver(() => {
      const u = plot.current
      if (u && outer.clientWidth && outer.clientWidth !== u.width) u.setSize({ width: outer.clientWidth, height: props.height })
    })
    const stop = effect(() => {
      plot.current?.destroy()
      plot.current = new uPlot(options(latest, outer.clientWidth || 600), latest.current.data, outer)
    })
    watch.observe(outer)
    return () => { watch.disconnect(); stop(); plot.current?.destroy(); plot.current = null }
  }, [shape])
  const first = useRef(true)
  useEffect(() => {
    if (first.current) { first.current = false; return }
    plot.current?.setData(props.data)
  }, [props.data])
  const move = (e: KeyboardEvent) => {
    const u = plot.current
    if (!u) return
    const last = u.data[0].length - 1
    const now = u.cursor.idx ?? (e.key === 'ArrowLeft' ? last + 1 : -1)
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, PageUp: now - 10, PageDown: now + 10, Home: 0, End: last }[e.key]
    if (e.key === 'Enter' && u.cursor.idx != null) { latest.current.onPick?.(u.cursor.idx); return }
    if (to === undefined) return
    e.preventDefault()
    const i = Math.max(0, Math.min(last, to))
    u.setCursor({ left: u.valToPos(u.data[0][i]!, 'x'), top: u.height / 3 })
  }
  return <div ref={box} role="img" aria-label={props.summary} tabIndex={0} onKeyDown={move} style={{ minHeight: props.height + 'px' }} />
}

function options(p: { current: PlotProps }, width: number): uPlot.Options {
  const { height, lines, x, y, bands, sync, zoom = false } = p.current
  const text = colour('--muted'), grid = colour('--grid'), page = colour('--page')
  const axis = { stroke: text, font: '12px system-ui, sans-serif', grid: { stroke: grid, width: 1 }, ticks: { show: false } }
  return {
    width, height,
    padding: [8, 36, x.hidden ? 8 : 0, 0],
    legend: { show: false },
    cursor: {
      sync: sync ? { key: sync } : undefined,
      drag: { x: zoom, y: false },
      points: { size: 8 },
      bind: zoom ? {} : { dblclick: () => () => null },
    },
    scales: {
      x: { time: false, range: x.range ? () => x.range! : (_u, low, high) => low === high ? [low - 1, high + 1] : [low, high] },
      y: y.log
        ? { distr: 3, range: (_u, low, high) => logRange(low, high) }
        : { range: y.range ? () => y.range! : (_u, low, high) => linearRange(low, high, y.zero, y.signed) },
    },
    axes: [
      { ...axis, show: !x.hidden, size: 30, space: 70, values: (_u, vs) => vs.map(v => v == null ? '' : p.current.x.text(v)), ...(x.ticks && { splits: (_u, _a, low, high) => p.current.x.ticks!(low, high) }) },
      { ...axis, size: 68, space: height < 150 ? 24 : 34, values: (_u, vs) => vs.map(v => v == null ? '' : p.current.y.text(v)), ...(y.ticks && { splits: (_u, _a, low, high) => p.current.y.ticks!(low, high), filter: (_u, s) => s }) },
    ],
    series: [{}, ...lines.map((l): uPlot.Series => {
      const c = colour(l.colour)
      return {
        label: l.name, stroke: c, width: l.line === false ? 0 : l.width ?? 2, dash: l.dash,
        fill: l.fill ? colour(l.fill) : undefined,
        paths: l.line === false ? () => null : undefined,
        points: l.points
          ? { show: true, size: l.points === 'hollow' ? 9 : 7, width: l.points === 'hollow' ? 2 : 1, stroke: c, fill: l.points === 'hollow' ? page : c }
          : { show: false },
      }
    })],
    bands: bands?.map(b => ({ series: [b.high, b.low] as [number, number], fill: colour(b.colour) })),
    hooks: {
      drawClear: [u => p.current.under?.(u)],
      draw: [u => p.current.over?.(u)],
      setCursor: [u => p.current.onIndex?.(u.cursor.left != null && u.cursor.left >= 0 ? u.cursor.idx ?? null : null)],
      ready: [u => {
        u.over.addEventListener('click', () => { if (u.cursor.idx != null) p.current.onPick?.(u.cursor.idx) })
      }],
    },
  }
}

function logRange(low: number, high: number): [number, number] {
  if (!(low > 0) || !(high > 0)) return [1, 10]
  return [low / 1.25, high * 1.25]
}

function linearRange(low: number | null, high: number | null, zero?: boolean, signed?: boolean): [number, number] {
  if (low === null || high === null) return [0, 1]
  if (zero) return [0, high > 0 ? high * 1.08 : 1]
  const room = (high - low || Math.abs(high) || 1) * 0.1
  return [low >= 0 && !signed ? Math.max(0, low - room) : low - room, high + room]
}
