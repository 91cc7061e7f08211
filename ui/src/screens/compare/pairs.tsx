// Every pair of slices as a dot in the order of time, with its block, and what may have disturbed it.

import { useCallback, useMemo, useState } from 'preact/hooks'
import type { Contest, Pair } from '../../model'
import { linearTicks, percent, seconds } from '../../format/units'
import { Canvas, Tip } from '../../components/canvas'
import { Chart } from '../../components/chart'
import { Legend, type Item } from '../../components/legend'
import { DataTable } from '../../components/table'
import { colour } from '../../theme'

const height = 300
const room = { left: 68, right: 16, top: 12, bottom: 40 }

type Group = 'quiet' | 'steal' | 'disturbed'

const groups: (Item & { key: Group })[] = [
  { key: 'quiet', name: 'pair', shape: 'dot', colour: '--a' },
  { key: 'steal', name: 'CPU time stolen by the host', shape: 'triangle', colour: '--b' },
  { key: 'disturbed', name: 'disturbed', shape: 'hollow', colour: '--warning' },
]
const collection: Item = { key: 'collection', name: 'collection', shape: 'tick', colour: '--d' }
const middle: Item = { key: 'middle', name: 'median of a start', shape: 'line', colour: '--text' }
const band: Item = { key: 'band', name: 'tolerance', shape: 'area', colour: '--tolerance' }

function groupOf(p: Pair): Group {
  return p.disturbed ? 'disturbed' : p.steal ? 'steal' : 'quiet'
}

/** view is what of the changes is shown: nearly all; outliers stand at the edge as arrows. */
function view(pairs: Pair[], tolerance: number): [number, number] {
  const all = pairs.map(p => p.change).filter(Number.isFinite).sort((a, b) => a - b)
  const q = (f: number) => all[Math.round(f * (all.length - 1))] ?? 0
  const low = q(0.01), high = q(0.99)
  const more = Math.max((high - low) * 0.25, tolerance / 2), pad = more * 0.15
  return [Math.max(low - more, (all[0] ?? 0)) - pad, Math.min(high + more, all[all.length - 1] ?? 0) + pad]
}

/** Pairs draws the pairs of a contest. */
export function Pairs({ contest, name, id }: { contest: Contest, name: string, id: string }) {
  const pairs = contest.pairs ?? [], blocks = contest.blocks ?? []
  const [off, setOff] = useState<ReadonlySet<string>>(new Set())
  const [at, setAt] = useState<{ i: number, width: number } | null>(null)
  const shown = useMemo(() => pairs.filter(p => !off.has(groupOf(p))), [pairs, off])
  const [low, high] = useMemo(() => view(pairs, contest.tolerance), [pairs])
  const end = Math.max(...pairs.map(p => p.seconds), ...blocks.map(b => b.to), 1)
  const X = (s: number, w: number) => room.left + (w - room.left - room.right) * s / end
  const Y = (v: number) => height - room.bottom - (height - room.top - room.bottom) * (Math.max(low, Math.min(high, v)) - low) / (high - low || 1)

  const draw = useCallback((ctx: CanvasRenderingContext2D, w: number) => {
    ctx.font = '12px system-ui, sans-serif'
    const right = w - room.right, bottom = height - room.bottom
    blocks.forEach((b, i) => {
      if (i % 2) return
      ctx.fillStyle = colour('--panel')
      ctx.fillRect(X(b.from, w), room.top, X(b.to, w) - X(b.from, w), bottom - room.top)
    })
    ctx.textBaseline = 'middle'
    ctx.textAlign = 'right'
    for (const t of linearTicks(low, high, 6)) {
      ctx.fillStyle = colour(t === 0 ? '--line-strong' : '--grid')
      ctx.fillRect(room.left, Math.round(Y(t)), right - room.left, 1)
      ctx.fillStyle = colour('--muted')
      ctx.fillText(t === 0 ? '0' : percent(t), room.left - 10, Y(t))
    }
    if (contest.tolerance > 0) {
      ctx.fillStyle = colour('--tolerance')
      const top = Y(contest.tolerance), foot = Y(-contest.tolerance)
      if (foot > top) ctx.fillRect(room.left, top, right - room.left, foot - top)
    }
    ctx.textAlign = 'center'
    ctx.textBaseline = 'top'
    for (const t of linearTicks(0, end, Math.max(3, Math.floor(w / 130)))) {
      ctx.fillStyle = colour('--muted')
      ctx.fillText(seconds(t), Math.min(X(t, w), right - 12), bottom + 8)
    }
    if (!off.has('collection')) {
      ctx.fillStyle = colour(collection.colour)
      for (const p of shown) if (p.collector) ctx.fillRect(X(p.seconds, w), bottom + 1, 1, 5)
    }
    for (const p of shown) mark(ctx, groupOf(p), X(p.seconds, w), Y(p.change), p.change < low ? -1 : p.change > high ? 1 : 0)
    if (!off.has('middle')) {
      ctx.fillStyle = colour('--text')
      for (const b of blocks) {
        if (!b.pairs) continue
        ctx.fillRect(X(b.from, w) + 1, Y(b.middle) - 1.25, Math.max(4, X(b.to, w) - X(b.from, w) - 2), 2.5)
      }
    }
  }, [shown, off, contest])

  const near = (x: number, y: number, width: number) => {
    let best = -1, least = 24 * 24
    shown.forEach((p, i) => {
      const d = (X(p.seconds, width) - x) ** 2 + (Y(p.change) - y) ** 2
      if (d < least) { least = d; best = i }
    })
    setAt(best < 0 ? null : { i: best, width })
  }
  const key = (e: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10 }[e.key]
    if (!step || !shown.length) return
    e.preventDefault()
    const i = at ? Math.max(0, Math.min(shown.length - 1, at.i + step)) : step > 0 ? 0 : shown.length - 1
    setAt({ i, width: (e.currentTarget as HTMLElement).clientWidth })
  }
  const toggle = (k: string) => { const s = new Set(off); if (!s.delete(k)) s.add(k); setOff(s); setAt(null) }
  const some = groups.filter(g => pairs.some(p => groupOf(p) === g.key))
  const p = at && shown[at.i]
  return (
    <Chart id={id}
      legend={<Legend items={[...some, ...(pairs.some(p => p.collector) ? [collection] : []), ...(blocks.length ? [middle] : [])]} off={off} toggle={toggle} />}
      data={() => <PairTable pairs={pairs} />}>
      <Canvas height={height} draw={draw} onPoint={near} onLeave={() => setAt(null)} onKey={key}
        summary={`${pairs.length} pairs of slices in ${blocks.length} starts: change of ${name} from A to B over time, from ${percent(low)} to ${percent(high)}`}>
        {at && p && (
          <Tip x={X(p.seconds, at.width)} y={Y(p.change)} width={at.width}>
            <b>{percent(p.change)}</b> at {seconds(p.seconds)}, start {p.block + 1}
            {said(p).map(s => <div key={s} class="muted">{s}</div>)}
          </Tip>
        )}
      </Canvas>
      {contest.tolerance > 0 && Y(-contest.tolerance) > Y(contest.tolerance) && <div class="axis-name" style={{ paddingLeft: room.left + 'px' }}><Legend items={[{ ...band, name: `tolerance of ±${percent(contest.tolerance).slice(1)}` }]} /></div>}
    </Chart>
  )
}

function said(p: Pair): string[] {
  return [p.disturbed && 'the machine was busy with other work', p.steal && 'the host took CPU time', p.collector && 'a collection ended']
    .filter((s): s is string => !!s)
}

function mark(ctx: CanvasRenderingContext2D, g: Group, x: number, y: number, beyond: number): void {
  const item = groups.find(i => i.key === g)!
  ctx.strokeStyle = ctx.fillStyle = colour(item.colour)
  ctx.lineWidth = 1.6
  ctx.beginPath()
  if (beyond) {
    ctx.moveTo(x, y - 5 * beyond)
    ctx.lineTo(x - 4, y + 2 * beyond)
    ctx.lineTo(x + 4, y + 2 * beyond)
    ctx.fill()
    return
  }
  switch (g) {
    case 'quiet':
      ctx.globalAlpha = 0.65
      ctx.arc(x, y, 3, 0, 7)
      ctx.fill()
      ctx.globalAlpha = 1
      return
    case 'steal': ctx.moveTo(x, y - 4.5); ctx.lineTo(x + 4.5, y + 3.5); ctx.lineTo(x - 4.5, y + 3.5); ctx.fill(); return
    case 'disturbed': ctx.arc(x, y, 3, 0, 7); ctx.stroke()
  }
}

function PairTable({ pairs }: { pairs: Pair[] }) {
  return <DataTable name="Pairs of slices" rows={pairs} columns={[
    { name: 'time', number: true, text: p => seconds(p.seconds), value: p => p.seconds },
    { name: 'start', number: true, text: p => String(p.block + 1), value: p => p.block },
    { name: 'change', number: true, text: p => percent(p.change), value: p => p.change },
    { name: 'remarks', text: p => said(p).join(', ') },
  ]} />
}
