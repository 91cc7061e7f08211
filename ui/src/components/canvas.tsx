// A canvas as wide as the page gives, sharp on every screen, drawn again when its size, its data or the colours change.

import { useEffect, useRef } from 'preact/hooks'
import { effect } from '@preact/signals'
import type { ComponentChildren } from 'preact'

export type Draw = (ctx: CanvasRenderingContext2D, width: number, height: number) => void

interface Props {
  height: number
  /** draw is called with the size in CSS pixels; a new function draws again. */
  draw: Draw
  /** summary says what the drawing shows, for those who do not see it. */
  summary: string
  onPoint?: (x: number, y: number, width: number) => void
  onLeave?: () => void
  onKey?: (e: KeyboardEvent) => void
  children?: ComponentChildren
}

/** Canvas draws. Pointer positions are in CSS pixels of the canvas. */
export function Canvas({ height, draw, summary, onPoint, onLeave, onKey, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const c = canvas.current!, outer = box.current!
    let stop = () => {}
    const paint = () => {
      const width = outer.clientWidth
      if (!width) return
      const scale = devicePixelRatio || 1
      c.width = Math.round(width * scale)
      c.height = Math.round(height * scale)
      c.style.width = width + 'px'
      c.style.height = height + 'px'
      stop()
      stop = effect(() => {
        const ctx = c.getContext('2d')!
        ctx.setTransform(scale, 0, 0, scale, 0, 0)
        ctx.clearRect(0, 0, width, height)
        draw(ctx, width, height)
      })
    }
    paint()
    let last = outer.clientWidth
    const watch = new ResizeObserver(() => { if (outer.clientWidth !== last) { last = outer.clientWidth; paint() } })
    watch.observe(outer)
    return () => { watch.disconnect(); stop() }
  }, [draw, height])
  const point = (e: PointerEvent) => {
    const r = canvas.current!.getBoundingClientRect()
    onPoint?.(e.clientX - r.left, e.clientY - r.top, r.width)
  }
  return (
    <div ref={box} class="drawing" style={{ height: height + 'px' }}>
      <canvas ref={canvas} role="img" aria-label={summary} tabIndex={0} onPointerMove={point} onPointerDown={point} onPointerLeave={onLeave} onKeyDown={onKey} onBlur={onLeave} />
      {children}
    </div>
  )
}

/** Tip is a small box beside a point of a drawing. It stays inside of the drawing. */
export function Tip({ x, y, width, children }: { x: number, y: number, width: number, children: ComponentChildren }) {
  const right = x > width * 0.6
  return (
    <div class="tip" role="status" style={{ top: Math.max(0, y - 10) + 'px', left: right ? 'auto' : x + 14 + 'px', right: right ? width - x + 14 + 'px' : 'auto' }}>
      {children}
    </div>
  )
}
