// What is measured now: how far it is, whether it is healthy, what the program does.

import { useEffect } from 'preact/hooks'
import type { Live } from '../../model'
import { connection, follow, measurements } from '../../live'
import { CommandLine } from '../../components/command'
import { Sign } from '../../components/statement'
import { pageHref } from '../../router'
import { Lately } from './lately'

/** LiveScreen shows every measurement that goes on in the ledger, and those that ended while it was open. */
export function LiveScreen() {
  useEffect(() => { document.title = 'Live · hone'; follow() }, [])
  const all = [...measurements.value.values()].sort((a, b) => Number(!!a.ended) - Number(!!b.ended) || b.started.localeCompare(a.started))
  const going = all.some(m => !m.ended)
  return (
    <article data-test="live">
      <h1>Live</h1>
      <p class="muted" role="status" data-test="connection">{words[connection.value]}</p>
      {!going && <div class="commands first">
        <p>Nothing is measured now. A measurement that begins shows up here by itself. It does not wait for this page, but a browser on the same CPUs makes latencies worse.</p>
        <CommandLine line="hone run ./cmd/server" what="Measures your service" />
        <CommandLine line="hone compare main:./cmd/server ./cmd/server" what="Compares a branch with the working tree" />
      </div>}
      {all.map(m => <Measurement key={m.key} of={m} />)}
    </article>
  )
}

const words = {
  connecting: 'Connecting to hone serve …',
  open: 'Connected: readings come once a second.',
  lost: 'The connection is lost. The page connects again by itself; if hone serve has ended, start it again.',
}

function Measurement({ of: l }: { of: Live }) {
  const page = l.id && pageHref(l.kind, l.id)
  const whole = l.total || l.phase_expected
  const done = l.total ? l.done : l.phase_seconds
  const part = whole > 0 ? Math.min(1, done / whole) : null
  return (
    <section class="measurement" aria-label={l.command} data-test="measurement">
      <header>
        <h2>{l.command || l.kind}</h2>
        <span class="badge">{l.kind}</span>
        {l.ended ? <span class="badge tone-good">ended</span> : <span class="badge">{l.phase || 'begins'}</span>}
        {page && l.ended && <a class="button" href={page} data-test="open-result">Open the result</a>}
        {l.id && <span class="mono small muted">{l.id}</span>}
      </header>
      {!l.ended && (
        <div class="phase">
          <progress aria-label={`${l.phase}, time`} {...(part === null ? {} : { value: part, max: 1 })} />
          <span class="small">{[l.phase, l.variant && `now ${l.variant}`, l.left && `${l.left} left`].filter(Boolean).join(' · ')}</span>
        </div>
      )}
      {l.note && <p data-test="live-note">{l.note}</p>}
      {l.loaded && (
        <dl class="readings" aria-label="Load">
          <Reading name="rate" text={l.rate.text} note={l.asked.value > 0 ? `of ${l.asked.text} asked for` : ''} />
          <Reading name="p50" text={l.p50.text} />
          <Reading name="p99" text={l.p99.text} note="of the slowest slice" />
          <Reading name="p99.9" text={l.p99_9.text} />
          <Reading name="errors" text={l.errors.toLocaleString('en-US')} bad={l.errors > 0} />
        </dl>
      )}
      <Lately of={l} />
      {!!l.causes?.length && <p class="small">Failures: {l.causes.map(c => `${c.name} ${c.text}`).join(', ')}</p>}
      {!!l.vitals?.length && (
        <dl class="readings small" aria-label="Program and load generator">
          {l.vitals.map(v => <Reading key={v.of + v.name} name={(v.of === 'generator' ? 'generator: ' : '') + v.name} text={v.text} bad={v.tone === 'warning'} />)}
        </dl>
      )}
      {l.warnings?.map((w, i) => <p key={i} class="small"><Sign tone="warning" /> {w}</p>)}
    </section>
  )
}

function Reading({ name, text, note, bad }: { name: string, text: string, note?: string, bad?: boolean }) {
  if (!text) return null
  return <div class={bad ? 'tone-warning' : undefined}><dt>{name}</dt><dd>{text}</dd>{note && <dd class="note">{note}</dd>}</div>
}
