// The history as two drawings over the same commits: the measure where it was compared, and how likely a step is.

import { useCallback, useMemo, useState } from 'preact/hooks'
import type { BisectPlace } from '../../model'
import { Canvas, Tip } from '../../components/canvas'
import { Chart } from '../../components/chart'
import { Legend, type Item } from '../../components/legend'
import { Sign } from '../../components/statement'
import { DataTable } from '../../components/table'
import { quantity } from '../../format/units'
import { drawHistory, height, placeAt, scaleOf } from './drawing'

const items: (Item & { there: (p: BisectPlace) => unknown })[] = [
  { key: 'compared', name: 'compared, with the 95 % interval', shape: 'dot', colour: '--a', there: p => p.ratio },
  { key: 'found', name: 'found', shape: 'triangle', colour: '--b', there: p => p.found },
  { key: 'skipped', name: 'could not be measured', shape: 'cross', colour: '--warning', there: p => p.skipped },
]

/** History draws the places of a history. */
export function History({ places, measure }: { places: BisectPlace[], measure: string }) {
  const [at, setAt] = useState<{ i: number, width: number } | null>(null)
  const draw = useCallback((ctx: CanvasRenderingContext2D, width: number) => drawHistory(ctx, places, width), [places])
  const scale = useMemo(() => at && scaleOf(places, at.width), [places, at?.width])
  const key = (e: KeyboardEvent) => {
    const last = places.length - 1, now = at?.i ?? (e.key === 'ArrowLeft' ? last + 1 : -1)
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, PageUp: now - 10, PageDown: now + 10, Home: 0, End: last }[e.key]
    if (to === undefined) return
    e.preventDefault()
    setAt({ i: Math.max(0, Math.min(last, to)), width: (e.currentTarget as HTMLElement).clientWidth })
  }
  const p = at && places[at.i]
  return (
    <Chart id="history" legend={<Legend items={items.filter(i => places.some(i.there))} />} data={() => <PlaceTable of={places} />}>
      <Canvas height={height} draw={draw} onKey={key} onLeave={() => setAt(null)} summary={summary(places, measure)}
        onPoint={(x, _y, width) => setAt({ i: placeAt(places, x, width), width })}>
        {at && p && scale && <>
          <div class="hair" style={{ left: scale.x(at.i) + 'px' }} />
          <Tip x={scale.x(at.i)} y={scale.y(p.ratio ? p.ratio - 1 : scale.high)} width={at.width}><Reading of={p} /></Tip>
        </>}
      </Canvas>
    </Chart>
  )
}

/** Reading says what is known of one place. */
function Reading({ of: p }: { of: BisectPlace }) {
  return (
    <div class="wrapped">
      <b>{p.text ?? (p.skipped ? 'skipped' : 'not compared')}</b>
      <div><code>{p.commit}</code> {p.subject}</div>
      <div class="muted">{p.date}, a step here: {likely(p)}</div>
      {p.commits > 1 && <div class="muted">{same(p)}</div>}
      {p.skipped && <div><Sign tone="warning" /> {p.skipped}</div>}
    </div>
  )
}

/** likely is the probability of a step at a place. */
function likely(p: BisectPlace): string {
  if (p.probability > 0 && p.probability < 0.001) return 'below 0.1 %'
  return quantity(p.probability > 0.1 ? Math.round(p.probability * 100) / 100 : p.probability, 'share')
}

/** same says how many commits after it are built from the same files. */
function same(p: BisectPlace): string {
  const more = p.commits - 1
  return `with ${more} ${more === 1 ? 'commit' : 'commits'} after it that ${more === 1 ? 'changes' : 'change'} nothing that is built or read`
}

function summary(places: BisectPlace[], measure: string): string {
  const compared = places.filter(p => p.ratio).length, found = places.filter(p => p.found).map(p => p.commit)
  const end = places[places.length - 1]!
  return `${measure} along ${places.length} places of the history, ${compared} of them compared. ` +
    (end.text ? `At the bad end it is ${end.text} of the good end. ` : '') + (found.length ? `Found: ${found.join(', ')}.` : 'No commit is found.')
}

function PlaceTable({ of }: { of: BisectPlace[] }) {
  const state = (p: BisectPlace) => [p.found && 'found', p.skipped && 'skipped: ' + p.skipped, p.commits > 1 && same(p)].filter(Boolean).join('; ')
  return <DataTable name="History" rows={of} columns={[
    { name: 'commit', text: p => p.commit, show: p => <code>{p.commit}</code> },
    { name: 'subject', text: p => p.subject },
    { name: 'date', text: p => p.date, show: p => <span style={{ whiteSpace: 'nowrap' }}>{p.date}</span> },
    { name: 'change', number: true, text: p => p.text ?? '', value: p => p.ratio ?? 0 },
    { name: 'a step here', number: true, text: likely, value: p => p.probability },
    { name: 'remarks', text: state },
  ]} />
}
