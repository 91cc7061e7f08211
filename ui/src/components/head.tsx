// What every page begins with: what it is of, when, and how it ended.

import { useEffect } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import type { Head as HeadData, Kind } from '../model'
import { moment } from '../format/units'

export const kindNames: Record<Kind, string> = {
  run: 'Run', once: 'Run to the end', load: 'Load test', comparison: 'Comparison', bench: 'Benchmarks', bisect: 'Bisect', stored: 'Stored runs',
}

/** useTitle names the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => { document.title = title ? `${title} – hone` : 'hone' }, [title])
}

export function statusTone(status: string): string {
  if (status === 'invalid' || status === 'crashed') return 'bad'
  if (status === 'partial' || status === 'interrupted' || status === 'running') return 'warning'
  return ''
}

/** Head is the title of a page with its facts in one line. */
export function Head({ of, children }: { of: HeadData, children?: ComponentChildren }) {
  useTitle([of.title, [kindNames[of.kind], of.id].filter(Boolean).join(' ')].filter(Boolean).join(' · '))
  const when = moment(of.started)
  return (
    <div class="page-head">
      <div class="crumbs">
        <span class="badge">{kindNames[of.kind] ?? of.kind}</span>
        {of.id && <span class="mono" data-test="page-id">{of.id}</span>}
        {of.status && <span class={'badge ' + statusTone(of.status)} data-test="status">{of.status}</span>}
        {when && <time dateTime={of.started}>{when}</time>}
        {of.elapsed && <span>took {of.elapsed}</span>}
        {of.host && <span>on {of.host}</span>}
        {children}
      </div>
      <h1>{of.title}</h1>
    </div>
  )
}

/** Foot says which hone measured. */
export function Foot({ version }: { version: string }) {
  return <footer class="foot">{version && <>measured by hone {version} · </>}<span class="keys">press <kbd>?</kbd> for keys</span></footer>
}
