// The address of a screen is behind the #, so that it works in a file, too: #/runs/0a1b2c3d?tab=findings. All state of a
// view is in it: a copied address shows the same.

import { signal } from '@preact/signals'
import type { Kind } from './model'

export interface Route {
  /** path are the parts before the question mark: ['runs', '0a1b2c3d']. */
  path: string[]
  params: URLSearchParams
}

function parse(hash: string): Route {
  const text = hash.replace(/^#\/?/, '')
  const at = text.indexOf('?')
  const path = (at < 0 ? text : text.slice(0, at)).split('/').filter(Boolean).map(decodeURIComponent)
  return { path, params: new URLSearchParams(at < 0 ? '' : text.slice(at + 1)) }
}

export const route = signal<Route>(parse(location.hash))

addEventListener('hashchange', () => { route.value = parse(location.hash) })

/** href is the address of a screen. Parameters that are empty or undefined are left out. */
export function href(path: string[], params: Record<string, string | undefined> = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value)
  const text = query.toString()
  return '#/' + path.map(encodeURIComponent).join('/') + (text ? '?' + text : '')
}

/** pageHref is the address of a page of the ledger by its kind: that of a run, or that of a comparison. */
export function pageHref(kind: Kind, id: string): string {
  return href([kind === 'run' || kind === 'once' || kind === 'load' ? 'runs' : 'comparisons', id])
}

/** setParams changes parameters of the current address. With push the browser's back button undoes it. */
export function setParams(changes: Record<string, string | undefined>, push = false): void {
  const { path, params } = route.value
  const all: Record<string, string | undefined> = { ...Object.fromEntries(params), ...changes }
  const to = href(path, all)
  if (push) history.pushState(null, '', to)
  else history.replaceState(null, '', to)
  route.value = parse(to)
}

export function go(to: string): void {
  location.hash = to
}
