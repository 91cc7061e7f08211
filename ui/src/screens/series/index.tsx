// A repository's performance along its commits: all series, those that got worse most first, and one of them drawn.

import { useEffect, useRef } from 'preact/hooks'
import type { Series, SeriesLine } from '../../model'
import { Answer } from '../../components/answer'
import { Commands } from '../../components/command'
import { narrow } from '../../components/narrow'
import { Section } from '../../components/section'
import { Sign } from '../../components/statement'
import { DataTable } from '../../components/table'
import { href, route } from '../../router'
import { Drawing } from './drawing'

/** SeriesScreen shows what hone track has kept. */
export function SeriesScreen() {
  return <Answer<Series> path="series">{of => <Page of={of} />}</Answer>
}

function Page({ of }: { of: Series }) {
  document.title = 'Series · hone'
  const wanted = route.value.params.get('line')
  const chosen = of.lines.find(l => key(l) === wanted) ?? of.lines[0]
  const shown = useRef(wanted)
  useEffect(() => { // a name far below was clicked, or the browser went back
    if (shown.current === wanted) return
    shown.current = wanted
    document.getElementById('drawn')?.scrollIntoView()
  }, [wanted])
  useEffect(() => {
    const slash = (e: KeyboardEvent) => {
      if (e.key !== '/' || e.ctrlKey || e.metaKey || e.altKey || (e.target as HTMLElement).closest('input, select, textarea')) return
      e.preventDefault()
      document.querySelector<HTMLInputElement>('[data-test="lines"] input')?.focus()
    }
    addEventListener('keydown', slash)
    return () => removeEventListener('keydown', slash)
  }, [])
  const branches = new Set(of.lines.map(l => l.branch)).size > 1
  return (
    <article data-test="series">
      <h1>Performance by commit</h1>
      <p class="muted" role="status">{count(of.lines.length, 'series')}, {count(of.commits.length, 'commit')} in {of.store}</p>
      {chosen ? <>
        <Section id="drawn" title={`${chosen.name || 'the service'}, ${chosen.measure}`} lead={lead(chosen)}>
          <Drawing key={key(chosen)} line={chosen} of={of} />
        </Section>
        <Section id="all" title="All series" lead="The one that got worse most is first. A name shows its series above.">
          <DataTable name="series" search rows={of.lines} test="lines" rowClass={l => l === chosen ? 'chosen' : undefined} columns={[
            { name: 'benchmark', text: l => l.name || 'the service', show: l => <Name line={l} chosen={l === chosen} /> },
            { name: 'measure', text: l => l.measure },
            ...(branches ? [{ name: 'branch', text: (l: SeriesLine) => l.branch }] : []),
            { name: narrow.value ? 'change' : 'against the first commit', number: true, text: l => l.now, value: l => last(l), show: l => <><Sign tone={l.tone} /> {l.now}</> },
            { name: 'steps', number: true, text: l => String(l.steps.length), value: l => l.steps.length },
            ...(narrow.value ? [] : [{ name: 'latest step', text: (l: SeriesLine) => l.steps[l.steps.length - 1]?.text ?? '' }]),
          ]} />
        </Section>
      </> : (
        <Section id="empty" title="No series yet" lead="hone track adds the commit that is checked out, and compares each further one with the one before.">
          <Commands of={[{ what: 'Add this commit', line: 'hone track ./...' }, { what: 'Write a workflow that adds a commit each night', line: 'hone init --github --nightly' }]} />
        </Section>
      )}
      {!!of.notes?.length && <Section id="notes" title="Notes"><ul class="lines">{of.notes.map((n, i) => <li key={i}>{n}</li>)}</ul></Section>}
    </article>
  )
}

/** Name is the link to a series: the benchmark, and its package in a line of its own. */
function Name({ line, chosen }: { line: SeriesLine, chosen: boolean }) {
  const [, pkg, name] = /^(.*?)\.([^a-z].*)$/.exec(line.name) ?? [, '', line.name || 'the service']
  return <>
    <a href={href(['series'], { line: key(line) })} aria-current={chosen ? 'true' : undefined}>{name}</a>
    {pkg && <div class="small muted" style={narrow.value ? undefined : { whiteSpace: 'nowrap' }}>{pkg}</div>}
  </>
}

const key = (l: SeriesLine) => [l.branch, l.name, l.measure, l.imported ?? ''].join('|')

const last = (l: SeriesLine) => l.values.findLast(v => v !== null) ?? 0

const lead = (l: SeriesLine) => l.imported
  ? `Branch ${l.branch}. Single runs, imported from ${l.imported}: they were not compared side by side.`
  : `Branch ${l.branch}. Each commit was compared with the one before on one machine; the value is the product of the changes.`

const count = (n: number, noun: string) => `${n.toLocaleString('en-US')} ${noun}${n === 1 || noun.endsWith('s') ? '' : 's'}`
