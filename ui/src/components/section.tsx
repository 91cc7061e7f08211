// Sections of a page, each with a heading that can be linked to: ?at=ID.

import { useEffect } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import { href, route, setParams } from '../router'

interface Props {
  id: string
  title: string
  lead?: ComponentChildren
  side?: ComponentChildren
  children: ComponentChildren
}

/** at is the address of a section of the current page. */
export function at(id: string): string {
  const { path, params } = route.value
  return href(path, { ...Object.fromEntries(params), at: id })
}

function jump(e: Event, id: string): void {
  e.preventDefault()
  setParams({ at: id })
  show(id)
}

function show(id: string, behavior: ScrollBehavior = 'auto'): void {
  const element = document.getElementById(id)
  element?.scrollIntoView({ behavior })
  element?.focus({ preventScroll: true })
}

/** Jump is a link to a section of the current page. */
export function Jump({ to, children }: { to: string, children: ComponentChildren }) {
  return <a href={at(to)} onClick={e => jump(e, to)}>{children}</a>
}

/** Section is a part of a page under a heading. */
export function Section({ id, title, lead, side, children }: Props) {
  return (
    <section class="section" id={id} tabIndex={-1} aria-labelledby={id + '-title'} data-test={'section-' + id}>
      <header>
        <h2 id={id + '-title'}>{title}</h2>
        <a class="anchor" href={at(id)} onClick={e => jump(e, id)} aria-label={`Link to ${title}`}>#</a>
        {side && <div class="side">{side}</div>}
      </header>
      {lead && <p class="lead">{lead}</p>}
      {children}
    </section>
  )
}

export interface Part { id: string, title: string }

/** Contents lists the sections of a page beside it, and scrolls to the one that the address names. */
export function Contents({ parts }: { parts: Part[] }) {
  const current = route.value.params.get('at')
  useEffect(() => {
    if (!current) return
    const timer = setTimeout(() => show(current, 'instant'), 60) // charts above have their height by then
    return () => clearTimeout(timer)
  }, [])
  return (
    <nav class="toc" aria-label="On this page">
      <b>On this page</b>
      {parts.map(p => (
        <a key={p.id} href={at(p.id)} aria-current={current === p.id ? 'true' : undefined} onClick={e => jump(e, p.id)}>{p.title}</a>
      ))}
    </nav>
  )
}
