// What is measured now, as the server tells it: server-sent events, a measurement each.

import { signal } from '@preact/signals'
import { inReport, micro } from './api'
import type { Live } from './model'

export type Connection = 'connecting' | 'open' | 'lost'

/** measurements are those that were seen since the page was opened, by key. */
export const measurements = signal<ReadonlyMap<string, Live>>(new Map())
export const connection = signal<Connection>('connecting')

/** going is how many are measured now. */
export const going = signal(0)

let source: EventSource | null = null
let retry = 0

/** follow connects once; the browser connects again by itself after a break, and this does where it gives up. */
export function follow(): void {
  if (source || inReport() || document.visibilityState === 'hidden') return
  connection.value = measurements.peek().size ? 'lost' : connection.peek()
  source = new EventSource('api/v1/live')
  source.addEventListener('open', () => {
    connection.value = 'open'
    // The server tells at once of all that go on: what ended during a break is not among them.
    keep([...measurements.peek().values()].filter(m => m.ended))
  })
  source.addEventListener('live', e => take(micro(JSON.parse((e as MessageEvent<string>).data)) as Live))
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
  keep([...measurements.peek().values()].filter(m => m.key !== l.key).concat(l))
}

function keep(all: Live[]): void {
  measurements.value = new Map(all.map(m => [m.key, m]))
  going.value = all.filter(m => !m.ended).length
}
