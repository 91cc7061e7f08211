// One series: the change against the first commit with its interval, and the steps. Dragging zooms in, a double click out.

import { useMemo, useState } from 'preact/hooks'
import uPlot from 'uplot'
import type { Series, SeriesLine } from '../../model'
import { Chart } from '../../components/chart'
import { Legend, type Item } from '../../components/legend'
import { narrow } from '../../components/narrow'
import { Plot } from '../../components/plot'
import { Sign } from '../../components/statement'
import { DataTable } from '../../components/table'
import { percent } from '../../format/units'
import { colour } from '../../theme'

/** Drawing draws a series. */
export function Drawing({ line, of }: { line: SeriesLine, of: Series }) {
  const [at, setAt] = useState<number | null>(null)
  const data = useMemo(() => {
    const reach = (sign: number) => line.values.map((v, i) => v === null || !line.half ? null : v + sign * (line.half[i] ?? 0))
    return [line.at.map((_, i) => i), line.values, reach(1), reach(-1)] as uPlot.AlignedData
  }, [line])
  const commit = (i: number) => of.commits[line.at[i] ?? -1]
  const items: Item[] = [{ key: 'value', name: 'against the first commit', shape: 'dot', colour: '--a' }]
  if (line.half) items.push({ key: 'interval', name: '95 % interval', shape: 'area', colour: '--a-soft' })
  if (line.steps.length) items.push({ key: 'step', name: 'changed for good', shape: 'line', colour: '--b' })
  const n = line.at.length
  const last = line.values.findLastIndex(v => v !== null)
  return (
    <>
      <Chart id="series" legend={<Legend items={items} />} data={() => <PointTable line={line} of={of} />}>
        <Plot height={260} data={data} onIndex={i => { if (i !== null) setAt(i) }} zoom
          summary={`${line.measure} of ${line.name} along ${n} commits, now ${line.now}`}
          lines={[
            { name: 'change', colour: '--a', width: 1.5, points: n > 200 ? undefined : 'filled' },
            { name: 'high', colour: '--a', line: false }, { name: 'low', colour: '--a', line: false },
          ]}
          x={{ text: i => commit(Math.round(i))?.day ?? '', ticks: (low, high) => ticks(low, high, n), ...(n === 1 && { range: [-1, 1] as [number, number] }) }}
          y={{ text: percent, signed: true }}
          under={u => interval(u, line)}
          over={u => marks(u, line)} />
      </Chart>
      <p class="small reading" aria-live="polite" data-test="reading"><Reading line={line} of={of} at={at ?? last} /></p>
      {!!line.steps.length && (
        <ul class="lines" data-test="steps">{line.steps.map((s, i) => <li key={i}><Sign tone={s.tone} /> <StepText of={of} hash={s.hash} text={s.text} /> {s.report && <a href={'reports/' + encodeURIComponent(s.report)}>comparison</a>}</li>)}</ul>
      )}
    </>
  )
}

/** ticks are places of the n that there are, at most eight. */
function ticks(low: number, high: number, n: number): number[] {
  const every = Math.max(1, Math.ceil((high - low + 1) / (narrow.value ? 4 : 8)))
  const all: number[] = []
  for (let i = Math.max(0, Math.ceil(low)); i <= Math.min(high, n - 1); i += every) all.push(i)
  return all
}

/** Reading is the value at a commit: the one under the pointer last, so that its link can be reached; the newest before. */
function Reading({ line, of, at }: { line: SeriesLine, of: Series, at: number }) {
  const c = of.commits[line.at[at] ?? -1], v = line.values[at], half = line.half?.[at]
  if (!c) return <>No commit has a value yet.</>
  return <>
    <b>{v == null ? 'no value' : percent(v)}</b>{v != null && !!half && ' ± ' + percent(half).replace('+', '')}{' at '}
    <CommitLink of={of} hash={c.hash} />{` · ${c.day} · ${c.author} · ${c.subject}`}
  </>
}

/** CommitLink is the beginning of a hash, which leads to the commit's page where the repository has such pages. */
function CommitLink({ of, hash }: { of: Series, hash: string }) {
  const short = hash.slice(0, 10)
  if (!of.commit_pages) return <code>{short}</code>
  return <a href={of.commit_pages + encodeURIComponent(hash)} rel="noreferrer"><code>{short}</code></a>
}

/** StepText is the sentence of a step, with its commit as a link. */
function StepText({ of, hash, text }: { of: Series, hash: string, text: string }) {
  const at = text.indexOf(hash.slice(0, 10))
  if (at < 0) return <>{text}</>
  return <>{text.slice(0, at)}<CommitLink of={of} hash={hash} />{text.slice(at + 10)}</>
}

/** interval fills what the interval of each commit holds. */
function interval(u: uPlot, line: SeriesLine): void {
  const { ctx, bbox } = u
  if (!line.half) return
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  ctx.fillStyle = colour('--a-soft')
  line.values.forEach((v, i) => {
    const half = line.half![i] ?? 0
    if (v === null) return
    const left = u.valToPos(i - 0.5, 'x', true), right = u.valToPos(i + 0.5, 'x', true)
    const top = u.valToPos(v + half, 'y', true)
    ctx.fillRect(left, top, right - left, u.valToPos(v - half, 'y', true) - top)
  })
  ctx.restore()
}

/** marks draws a line at each step, before its first commit. */
function marks(u: uPlot, line: SeriesLine): void {
  const { ctx, bbox } = u
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  ctx.strokeStyle = colour('--b')
  ctx.lineWidth = 2 * devicePixelRatio
  for (const s of line.steps) {
    const x = u.valToPos(s.point - 0.5, 'x', true)
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
  }
  ctx.restore()
}

function PointTable({ line, of }: { line: SeriesLine, of: Series }) {
  return (
    <DataTable name="commits" rows={line.at.map((c, i) => ({ commit: of.commits[c]!, value: line.values[i] ?? null, half: line.half?.[i] }))} columns={[
      { name: 'commit', text: p => p.commit.hash.slice(0, 10) },
      { name: 'day', text: p => p.commit.day },
      { name: 'author', text: p => p.commit.author },
      { name: 'subject', text: p => p.commit.subject },
      { name: 'against the first', number: true, text: p => p.value === null ? '' : percent(p.value), value: p => p.value ?? -1 },
      { name: 'interval', number: true, text: p => p.value === null || p.half === undefined ? '' : '± ' + percent(p.half).replace('+', ''), value: p => p.half ?? 0 },
    ]} />
  )
}
