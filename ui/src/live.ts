// What is measured now, as the server tells it: server-sent events, a measurement each.

import { signal } from '@preact/signals'
import { inReport } from './api'
import type { Live } from './model'

/** Sample is one second of a measurement, for lines of the last minutes. */
export interface Sample { seconds: number, rate: number, p50: number, p99: number, p999: number, errors: number }

export interface Followed { latest: Live, samples: Sample[] }

export type Connection = 'connecting' | 'open' | 'lost'

/** measurements are those that were seen since the page was opened, by key, the newest first. */
export const measurements = signal<ReadonlyMap<string, Followed>>(new Map())
export const connection = signal<Connection>('connecting')

/** going is how many are measured now. */
export const going = signal(0)

const most = 300 // samples, one a second: five minutes

let source: EventSource | null = null
let retry = 0

/** follow connects once; the browser connects again by itself after a break, and this does where it gives up. */
export function follow(): void {
  if (source || inReport() || document.visibilityState === 'hidden') return
  connection.value = measurements.peek().size ? 'lost' : connection.peek()
  source = new EventSource('api/v1/live')
  source.addEventListener('open', () => { connection.value = 'open' })
  source.addEventListener('live', e => take(JSON.parse((e as MessageEvent<string>).data) as Live))
  source.addEventListener('error', () => {
    connection.value = 'lost'
    if (source?.readyState !== EventSource.CLOSED) return
    source = null
    clearTimeout(retry)
    retry = setTimeout(follow, 3000)
  })
}

// A browser has six connections to a server: pages that are not in sight leave theirs to others.
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') { follow(); return }
  source?.close()
  source = null
}, true)

function take(l: Live): void {
  const all = new Map(measurements.peek())
  const before = all.get(l.key)
  const samples = before ? before.samples : []
  if (l.loaded) samples.push({ seconds: (Date.now() - Date.parse(l.started)) / 1000, rate: l.rate.value, p50: l.p50.value, p99: l.p99.value, p999: l.p99_9.value, errors: l.errors })
  if (samples.length > most) samples.splice(0, samples.length - most)
  all.set(l.key, { latest: l, samples })
  measurements.value = all
  going.value = [...all.values()].filter(f => !f.latest.ended).length
}
