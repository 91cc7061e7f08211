// The screen of a comparison: is B better, by how much, and why.

import type { Comparison, Contest } from '../../model'
import { has } from '../../api'
import { Answer } from '../../components/answer'
import { CheckBanner } from '../../components/check'
import { Commands } from '../../components/command'
import { CurveMarks, Curves } from '../../components/curves'
import { Foot, Head } from '../../components/head'
import { profileHref } from '../../components/profiles'
import { Contents, Section, type Part } from '../../components/section'
import { Sign, Statements } from '../../components/statement'
import { Verdict } from '../../components/verdict'
import { href } from '../../router'
import { SearchView } from '../bisect'
import { Environment } from './environment'
import { diffHref, Functions } from './functions'
import { Measures } from './measures'
import { Pairs } from './pairs'
import { Waterfall } from './waterfall'

/** ComparisonScreen shows the comparison, or the search for a commit, at a path of the API. */
export function ComparisonScreen({ path }: { path: string }) {
  return <Answer<Comparison> path={path}>{c => c.bisect ? <SearchView of={c} search={c.bisect} /> : <View of={c} />}</Answer>
}

function View({ of }: { of: Comparison }) {
  const invalid = of.check.tone === 'bad'
  const several = of.contests.length > 1
  const parts = sectionsOf(of, several)
  return (
    <div class="with-toc">
      <article data-test="comparison">
        <Head of={of} />
        {of.kind === 'stored' && (
          <div class="banner tone-warning" role="note" data-test="indicative">
            <div class="statement"><Sign tone="warning" /><span><strong>Indicative only.</strong> These runs were measured at different times. What changed on the machine in between is part of every difference. Only a comparison that measures both together decides.</span></div>
          </div>
        )}
        {invalid && <CheckBanner check={of.check} />}
        <div data-test="verdicts">{of.verdicts.map((v, i) => {
          if (invalid && v.text === of.check.text) return null
          return <Verdict key={i} text={v.text} tone={v.tone} />
        })}</div>
        <div class="under-verdict">
          {of.stopped && <p data-test="stopped">{of.stopped}</p>}
          <Statements of={of.answers} />
        </div>
        <Statements of={of.gates} class="gates" />
        {!invalid && of.check.text && <CheckBanner check={of.check} />}
        <Section id="variants" title="Variants" side={of.kind === 'stored' && of.variants.length === 2 && has(`stored/${of.variants[1]!.run}/${of.variants[0]!.run}`) && <a class="button" data-test="swap" href={href(['stored', of.variants[1]!.run!, of.variants[0]!.run!])}>Swap A and B</a>}>
          <Variants of={of} />
          {of.under.length > 0 && <ul class="conditions" aria-label="Measured under">{of.under.map((u, i) => <li key={i}>{u}</li>)}</ul>}
        </Section>
        {several ? of.contests.map((c, i) => <ContestView key={i} of={of} contest={c} suffix={'-' + letter(of, c.b).toLowerCase()} several />) : of.contests.map((c, i) => <ContestView key={i} of={of} contest={c} suffix="" />)}
        {!!of.latency?.length && (
          <Section id="latency" title="Latency">
            <Curves id="latency" curves={of.latency} names={of.latency.map(l => l.name)} />
            <CurveMarks curves={of.latency} names={of.latency.map(l => l.name)} />
          </Section>
        )}
        {of.environment.length > 0 && <Section id="environment" title="Environment"><Environment rows={of.environment} variants={of.variants} /></Section>}
        {of.commands.length > 0 && <Section id="next" title="Next"><Commands of={of.commands} /></Section>}
        <Foot version={of.version} />
      </article>
      <Contents parts={parts} />
    </div>
  )
}

const letter = (of: Comparison, i: number) => of.variants[i]?.letter ?? String.fromCharCode(65 + i)

function ContestView({ of, contest: c, suffix, several }: { of: Comparison, contest: Contest, suffix: string, several?: boolean }) {
  const a = letter(of, c.a), b = letter(of, c.b)
  const title = (t: string) => several ? `${b} against ${a}: ${t}` : t
  const gated = c.measures.find(m => m.gated)
  const diff = diffHref(of, c)
  return (
    <>
      {!!c.why?.length && <Section id={'why' + suffix} title={title(several ? 'why' : 'Why')}><ul class="lines" data-test="why">{c.why.map((w, i) => <li key={i}>{w}</li>)}</ul></Section>}
      {c.measures.length > 0 && (
        <Section id={'measures' + suffix} title={title(several ? 'measures' : of.kind === 'bench' ? 'Benchmarks' : 'Measures')} lead={`The change from ${a} to ${b} with its interval. Grey is the tolerance: inside of it the variants count as the same.`}>
          <Measures contest={c} variants={of.variants} bench={of.kind === 'bench'} />
        </Section>
      )}
      {c.waterfall && <Section id={'causes' + suffix} title={title(several ? 'where the difference comes from' : 'Where the difference comes from')}><Waterfall id={'cpu' + suffix} of={c.waterfall} a={a} b={b} /></Section>}
      {!!c.waits?.length && (
        <Section id={'waits' + suffix} title={title(several ? 'where the time of a request goes' : 'Where the time of a request goes')}>
          {c.waits.map((w, i) => <div key={i} style={{ marginTop: i ? '24px' : '0' }}><Waterfall id={`wait-${i}${suffix}`} of={w} a={a} b={b} /></div>)}
        </Section>
      )}
      {!!c.pairs?.length && (
        <Section id={'pairs' + suffix} title={title(several ? 'pairs of slices' : 'Pairs of slices')} lead={`Each mark is a slice of ${a} and one of ${b}, one right after the other: the change of ${gated?.name ?? 'CPU per request'}. Shaded stripes are fresh starts.`}>
          <Pairs id={'pairs' + suffix} contest={c} name={gated?.name ?? 'CPU per request'} />
        </Section>
      )}
      {!!c.functions?.length && (
        <Section id={'functions' + suffix} title={title(several ? 'functions' : 'Functions')} lead="A function's own CPU time per request." side={diff && <a class="button main" data-test="open-diff" href={diff}>Flame graph of the difference</a>}>
          <Functions of={of} contest={c} />
        </Section>
      )}
    </>
  )
}

function Variants({ of }: { of: Comparison }) {
  return (
    <div class="variants">
      {of.variants.map((v, i) => {
        const profiles = of.profiles.filter(p => p.run && p.run === v.run && has(p.path))
        return (
          <div key={i} class="variant" data-test={'variant-' + v.letter}>
            <span class={'letter l' + i}>{v.letter}</span>
            <span class="label">{v.label}<span class="source">{v.source}</span></span>
            <span class="links">
              {v.run && has('runs/' + v.run) && <a href={href(['runs', v.run])}>run {v.run}</a>}
              {profiles.map((p, j) => <a key={j} href={profileHref(p)}>{plain(p.title, v.letter)}</a>)}
            </span>
          </div>
        )
      })}
    </div>
  )
}

/** plain is a profile's title without the letter that stands before it already. */
const plain = (title: string, letter: string) => title.startsWith(letter + ': ') ? title.slice(letter.length + 2) : title

function sectionsOf(of: Comparison, several: boolean): Part[] {
  const parts: Part[] = [{ id: 'variants', title: 'Variants' }]
  for (const c of of.contests) {
    const s = several ? '-' + letter(of, c.b).toLowerCase() : '', more = several ? ' of ' + letter(of, c.b) : ''
    if (c.why?.length) parts.push({ id: 'why' + s, title: 'Why' + more })
    if (c.measures.length) parts.push({ id: 'measures' + s, title: (of.kind === 'bench' ? 'Benchmarks' : 'Measures') + more })
    if (c.waterfall) parts.push({ id: 'causes' + s, title: 'Difference' + more })
    if (c.waits?.length) parts.push({ id: 'waits' + s, title: 'Waiting' + more })
    if (c.pairs?.length) parts.push({ id: 'pairs' + s, title: 'Pairs' + more })
    if (c.functions?.length) parts.push({ id: 'functions' + s, title: 'Functions' + more })
  }
  if (of.latency?.length) parts.push({ id: 'latency', title: 'Latency' })
  if (of.environment.length) parts.push({ id: 'environment', title: 'Environment' })
  if (of.commands.length) parts.push({ id: 'next', title: 'Next' })
  return parts
}
