// A flame graph to look around in: pointer, keys, zoom, and a line that reads the selected frame.

import { effect } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { colours } from './colours'
import { Painter, row, type View } from './flame'
import { find, type Graph } from './grow'
import type { Found } from './tally'

interface Props {
  graph: Graph
  widths: Float64Array
  unit: string
  found: Found | null
  /** zoom is the key of the frame that is as wide as the drawing; 0 is the root. */
  zoom: number
  onZoom: (key: number) => void
  onSelect: (fn: number) => void
  /** read says what a frame has, in lines. */
  read: (g: Graph, node: number) => string[]
  name: string
  most: number
  flip?: boolean
  onPaint?: () => void
}

/** FlameView draws a graph. Its data are in the table view, too. */
export function FlameView(p: Props) {
  const { graph, widths, flip } = p
  const painter = useMemo(() => new Painter(graph, widths, p.unit, flip), [graph, widths, p.unit, flip])
  const box = useRef<HTMLDivElement>(null), canvas = useRef<HTMLCanvasElement>(null)
  const view = useRef<View>({ from: 0, to: 1, top: 0 })
  const [tip, setTip] = useState<{ node: number, x: number, y: number } | null>(null)
  const [selected, setSelected] = useState(-1)
  const zoomed = p.zoom ? Math.max(0, find(graph, p.zoom)) : 0
  const inner = (graph.deepest - graph.depth[zoomed]! + 1) * row
  const height = Math.max(row * 3, Math.min(p.most, inner))
  const frame = useRef(0)
  const offset = () => flip ? inner - height - box.current!.scrollTop : box.current!.scrollTop
  const draw = () => {
    if (!canvas.current || !box.current) return // the view was left
    const c = canvas.current, width = box.current.clientWidth, sharp = devicePixelRatio || 1
    if (!width) return
    if (c.width !== Math.round(width * sharp) || c.height !== Math.round(height * sharp)) {
      c.width = Math.round(width * sharp)
      c.height = Math.round(height * sharp)
    }
    const ctx = c.getContext('2d')!
    ctx.setTransform(sharp, 0, 0, sharp, 0, 0)
    painter.found = p.found
    painter.selected = selected
    painter.paint(ctx, view.current, width, height, offset(), colours())
  }
  const soon = () => { cancelAnimationFrame(frame.current); frame.current = requestAnimationFrame(draw) }
  useEffect(() => { setSelected(-1); setTip(null); view.current = target(painter, zoomed) }, [painter])
  useEffect(() => { if (flip && box.current) box.current.scrollTop = inner }, [painter, inner])
  useEffect(() => move(view, target(painter, zoomed), draw), [painter, zoomed])
  useEffect(() => { // colours of the page are signals
    let first = true
    const stop = effect(() => { colours(); if (first) { draw(); first = false } else soon() })
    p.onPaint?.()
    const watch = new ResizeObserver(soon)
    watch.observe(box.current!)
    return () => { stop(); watch.disconnect(); cancelAnimationFrame(frame.current) }
  }, [painter, p.found, height, selected])

  const nodeAt = (e: MouseEvent) => {
    const r = canvas.current!.getBoundingClientRect()
    return painter.at(e.clientX - r.left, e.clientY - r.top, view.current, r.width, height, offset())
  }
  const hover = (e: PointerEvent) => {
    const node = nodeAt(e), r = box.current!.getBoundingClientRect()
    painter.hovered = node
    setTip(node < 0 ? null : { node, x: e.clientX - r.left, y: e.clientY - r.top })
    soon()
  }
  const choose = (node: number) => { setSelected(node); if (graph.fn[node]! >= 0) p.onSelect(graph.fn[node]!) }
  const zoomTo = (node: number) => p.onZoom(node <= 0 ? 0 : graph.key[node]!)
  const key = (e: KeyboardEvent) => {
    const at = selected < 0 ? zoomed : selected
    const [into, out] = flip ? ['ArrowUp', 'ArrowDown'] : ['ArrowDown', 'ArrowUp']
    if (e.key === into) choose(selected < 0 ? at : at + 1 < graph.end[at]! ? at + 1 : at)
    else if (e.key === out) choose(Math.max(0, graph.parent[at]!))
    else if (e.key === 'ArrowRight') choose(sibling(graph, at, 1))
    else if (e.key === 'ArrowLeft') choose(sibling(graph, at, -1))
    else if (e.key === 'Enter') zoomTo(at)
    else if (e.key === 'Escape' || e.key === 'Backspace') { if (zoomed) zoomTo(graph.parent[zoomed]!) }
    else if (e.key === 'Home') zoomTo(0)
    else return
    e.preventDefault()
    e.stopPropagation()
  }
  const stack: number[] = []
  for (let n = zoomed; n > 0; n = graph.parent[n]!) stack.unshift(n)
  const label = (n: number) => graph.fn[n]! < 0 ? 'all' : graph.functions.short(graph.fn[n]!)
  return (
    <div class="flame" data-test={'flame-' + p.name.replace(/ .*/, '').toLowerCase()}>
      {zoomed > 0 && <nav class="flame-stack" aria-label="Zoomed into" data-test="zoom-stack">
        <button type="button" class="link-button" onClick={() => zoomTo(0)}>{label(0)}</button>
        {stack.map(n => <> › <button type="button" class="link-button" aria-current={n === zoomed ? 'location' : undefined} onClick={() => zoomTo(n)}>{label(n)}</button></>)}
      </nav>}
      <div class="flame-box" ref={box} style={{ height: height + 'px' }} onScroll={soon}>
        <div style={{ height: inner + 'px' }}>
          <canvas ref={canvas} style={{ height: height + 'px' }} role="img" aria-roledescription="flame graph" tabIndex={0} data-test="flame-canvas"
            aria-label={`${p.name}: ${p.read(graph, zoomed).join(', ')}. Arrow keys move, Enter zooms, Escape zooms out. The table view has the same data.`}
            onPointerMove={hover} onPointerLeave={() => { painter.hovered = -1; setTip(null); soon() }} onKeyDown={key}
            onClick={e => { const n = nodeAt(e); if (n >= 0) { choose(n); zoomTo(n) } }} />
        </div>
      </div>
      {tip && tip.node < graph.size && <div class="tip flame-tip" style={{ top: tip.y + 16 + 'px', ...(tip.x > (box.current?.clientWidth ?? 0) / 2 ? { right: (box.current!.clientWidth - tip.x) + 'px' } : { left: tip.x + 12 + 'px' }) }}>
        {p.read(graph, tip.node).map((line, i) => i ? <div key={i}>{line}</div> : <b key={i}>{line}</b>)}
      </div>}
      <p class="flame-read small muted" aria-live="polite" data-test="flame-selected">{selected >= 0 && selected < graph.size ? p.read(graph, selected).join(' · ') : ' '}</p>
    </div>
  )
}

function target(p: Painter, node: number): View {
  const w = p.width[node] || 1
  return { from: p.left[node]!, to: p.left[node]! + w, top: p.graph.depth[node]! }
}

function sibling(g: Graph, node: number, by: 1 | -1): number {
  const up = g.parent[node]!
  if (up < 0) return node
  if (by > 0) return g.end[node]! < g.end[up]! ? g.end[node]! : node
  let before = node
  for (let n = up + 1; n < node; n = g.end[n]!) before = n
  return before
}

/** move goes to a view in steps, at once for those who want no motion. It returns what ends it. */
function move(view: { current: View }, to: View, draw: () => void): () => void {
  const from = { ...view.current }, started = performance.now()
  if (matchMedia('(prefers-reduced-motion: reduce)').matches || from.from === to.from && from.to === to.to && from.top === to.top) {
    view.current = to
    draw()
    return () => {}
  }
  let frame = 0
  const step = () => {
    const t = Math.min(1, (performance.now() - started) / 160), eased = 1 - (1 - t) ** 3
    const mix = (a: number, b: number) => a + (b - a) * eased
    view.current = t < 1 ? { from: mix(from.from, to.from), to: mix(from.to, to.to), top: Math.round(mix(from.top, to.top)) } : to
    draw()
    if (t < 1) frame = requestAnimationFrame(step)
  }
  step()
  return () => cancelAnimationFrame(frame)
}
