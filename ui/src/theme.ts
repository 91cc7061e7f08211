// Light, dark, or as the system says. The choice is in the address (?theme=dark), else in the browser's storage, which a
// page from a file may not have.

import { signal } from '@preact/signals'
import { route, setParams } from './router'

export type Theme = 'auto' | 'dark' | 'light'
export const themes: Theme[] = ['auto', 'light', 'dark']

const key = 'hone-theme'

function stored(): Theme {
  try {
    return known(localStorage.getItem(key)) ?? 'auto'
  } catch {
    return 'auto' // storage is switched off
  }
}

function known(name: string | null): Theme | null {
  return themes.includes(name as Theme) ? name as Theme : null
}

function chosen(): Theme {
  return known(route.value.params.get('theme')) ?? known(new URLSearchParams(location.search).get('theme')) ?? stored()
}

export const theme = signal<Theme>('auto')

/** painted changes whenever colours do: what draws on a canvas reads it, and draws again. */
export const painted = signal(0)

function apply(t: Theme): void {
  theme.value = t
  if (t === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = t
  cache.clear()
  painted.value++
}

/** setTheme keeps the choice: in the storage, and in the address if that names one. */
export function setTheme(t: Theme): void {
  try {
    if (t === 'auto') localStorage.removeItem(key)
    else localStorage.setItem(key, t)
  } catch { /* the choice then holds for this page */ }
  if (route.value.params.has('theme')) setParams({ theme: t })
  apply(t)
}

/** startTheme applies the choice, and follows the system and the printer from then on. */
export function startTheme(): void {
  apply(chosen())
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => apply(theme.peek()))
  let before: Theme = 'auto'
  addEventListener('beforeprint', () => { before = theme.peek(); apply('light') })
  addEventListener('afterprint', () => apply(before))
}

const cache = new Map<string, string>()
let probe: HTMLElement | null = null

/** colour is what a CSS variable stands for now, "--a" say, in a form that a canvas takes. Reading it subscribes to changes. */
export function colour(name: string): string {
  void painted.value
  let c = cache.get(name)
  if (!c) {
    if (!probe) {
      probe = document.createElement('span')
      probe.hidden = true
      document.documentElement.append(probe)
    }
    probe.style.color = `var(${name})`
    c = getComputedStyle(probe).color
    cache.set(name, c)
  }
  return c
}

/** seriesColour is the colour of data by number: A is blue, B is orange. */
export function seriesColour(i: number): string {
  return colour(['--a', '--b', '--c', '--d'][i % 4]!)
}
