// What stands around every screen: the bar at the top, keys and their help, short messages.

import { useEffect, useState } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import { has, inReport } from './api'
import { copied } from './components/copy'
import { HelpDialog } from './help'
import { going } from './live'
import { first } from './api'
import { go, route } from './router'
import { setTheme, theme, themes } from './theme'

const themeNames = { auto: ['Auto', 'Colours as the system'], light: ['Light', 'Light colours'], dark: ['Dark', 'Dark colours'] }

/** Shell draws the top bar, and the screen below it. */
export function Shell({ children }: { children: ComponentChildren }) {
  const [help, setHelp] = useState(false)
  useEffect(() => {
    let before = ''
    const key = (e: KeyboardEvent) => {
      const target = e.target as HTMLElement
      if (e.ctrlKey || e.metaKey || e.altKey || target.closest('input, select, textarea')) { before = ''; return }
      if (e.key === '?') { e.preventDefault(); setHelp(h => !h); return }
      if (e.key === 'Escape') { setHelp(false); return }
      if (before === 'g' && e.key === 'h' && historyHere()) go('#/')
      if (before === 'g' && e.key === 'l' && !inReport()) go('#/live')
      if (before === 'g' && e.key === 's' && !inReport()) go('#/series')
      if (before === 'g' && e.key === 'r' && first()) go('#/' + first())
      before = e.key
    }
    addEventListener('keydown', key)
    return () => removeEventListener('keydown', key)
  }, [])
  return (
    <>
      <a class="skip" href="#content" onClick={e => { e.preventDefault(); document.getElementById('content')?.focus() }}>Skip to the content</a>
      <TopBar onHelp={() => setHelp(true)} />
      <main class="page" id="content" tabIndex={-1}>{children}</main>
      {help && <HelpDialog close={() => setHelp(false)} />}
      {copied.value && <div class="toast" role="status">{copied.value}</div>}
    </>
  )
}

const historyHere = () => !inReport() || has('history')

function TopBar({ onHelp }: { onHelp: () => void }) {
  const here = route.value.path[0] ?? ''
  const home = inReport() ? '#/' + first() : '#/'
  return (
    <header class="top">
      <div class="top-in">
        <a class="brand" href={home} aria-label="hone">
          <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true"><path d="M2 15L8 9l4 3 6-8" fill="none" style={{ stroke: 'var(--a)' }} stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" /><path d="M2 18.5H18" style={{ stroke: 'var(--b)' }} stroke-width="2" stroke-linecap="round" /></svg>
          hone
        </a>
        <nav aria-label="Screens">
          {inReport() && first() && <a href={home} aria-current={'/' + route.value.path.join('/') === '/' + first() ? 'page' : undefined}>Report</a>}
          {historyHere() && <a href="#/" aria-current={here === '' ? 'page' : undefined}>History</a>}
          {!inReport() && <a href="#/series" aria-current={here === 'series' ? 'page' : undefined}>Series</a>}
          {!inReport() && <a href="#/live" aria-current={here === 'live' ? 'page' : undefined}><span class={going.value ? 'live-dot on' : 'live-dot'} aria-hidden="true" />Live{going.value > 0 && <span class="hidden-text"> ({going.value} measured now)</span>}</a>}
        </nav>
        <span class="space" />
        <div class="theme" role="group" aria-label="Colours">
          {themes.map(t => <button key={t} type="button" aria-pressed={theme.value === t} title={themeNames[t][1]} data-test={'theme-' + t} onClick={() => setTheme(t)}>{themeNames[t][0]}</button>)}
        </div>
        <button type="button" class="icon" aria-label="Keys" title="Keys (?)" data-test="help" onClick={onHelp}>?</button>
      </div>
    </header>
  )
}
