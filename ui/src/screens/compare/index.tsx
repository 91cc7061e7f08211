// The screen of a comparison: is B better, by how much, and why.

import type { Comparison, Contest, Variant } from '../../model'
import { has } from '../../api'
import { Answer } from '../../components/answer'
import { CheckBanner, CheckLine } from '../../components/check'
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
import { Gates } from './gates'
import { diffHref, Functions } from './functions'
import { Measures } from './measures'
import { Pairs } from './pairs'
import { differs, explained, Why } from './why'

/** ComparisonScreen shows the comparison, or the search for a commit, at a path of the API. */
export function ComparisonScreen({ path }: { path: string }) {
  return <Answer<Comparison> path={path}>{c => c.bisect ? <SearchView of={c} search={c.bisect} /> : <View of={c} />}</Answer>
}

function View({ of }: { of: Comparison }) {
  const invalid = of.check.tone === 'bad'
  const several = of.contests.length > 1
  const profiled = of.variants.some(v => v.run && has('runs/' + v.run)) || of.profiles.some(p => has(p.path))
  const parts = sectionsOf(of, several, profiled)
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
        {!!of.gates?.length && <Gates of={of.gates} />}
        <Statements of={(of.answers ?? []).filter(s => s.tone !== 'good' && s.tone !== 'neutral')} class="alerts" />
        {!invalid && of.check.text && <CheckLine check={of.check} />}
        <Sides of={of.variants} />
        {of.contests.map((c, i) => <Outcome key={i} of={of} contest={c} several={several} />)}
        {of.contests.map((c, i) => <Details key={i} of={of} contest={c} several={several} />)}
        {!!of.latency?.length && (
          <Section id="latency" title="Latency">
            <Curves id="latency" curves={of.latency} names={of.latency.map(l => l.name)} />
            <CurveMarks curves={of.latency} names={of.latency.map(l => l.name.split(': ')[0]!)} />
          </Section>
        )}
        {profiled && <Section id="profiles" title="Runs and profiles"><Links of={of} /></Section>}
        <Section id="conditions" title="Conditions" side={of.kind === 'stored' && of.variants.length === 2 && has(`stored/${of.variants[1]!.run}/${of.variants[0]!.run}`) && <a class="button" data-test="swap" href={href(['stored', of.variants[1]!.run!, of.variants[0]!.run!])}>Swap A and B</a>}>
          {!invalid && of.check.text && <CheckBanner check={of.check} />}
          <div class="under-verdict">
            {of.stopped && <p data-test="stopped">{of.stopped}</p>}
            <Statements of={of.answers} />
          </div>
          {of.under.length > 0 && <ul class="conditions" aria-label="Measured under">{of.under.map((u, i) => <li key={i}>{u}</li>)}</ul>}
        </Section>
        {of.environment.length > 0 && <Section id="environment" title="Environment"><Environment rows={of.environment} variants={of.variants} /></Section>}
        {of.commands.length > 0 && <Section id="next" title="Next"><Commands of={of.commands} /></Section>}
        <Foot version={of.version} />
      </article>
      <Contents parts={parts} />
    </div>
  )
}

const letter = (of: Comparison, i: number) => of.variants[i]?.letter ?? String.fromCharCode(65 + i)

/** Shown is a contest of a comparison; of several each part says which two it is about. */
interface Shown { of: Comparison, contest: Contest, several: boolean }

/** naming gives the ids and the titles of a contest's sections. */
function naming({ of, contest: c, several }: Shown) {
  const a = letter(of, c.a), b = letter(of, c.b)
  return { a, b, suffix: several ? '-' + b.toLowerCase() : '', title: (t: string) => several ? `${b} against ${a}: ${t.charAt(0).toLowerCase()}${t.slice(1)}` : t }
}

/** Outcome is what was found out: the measures, and why they differ. */
function Outcome(props: Shown) {
  const { of, contest: c } = props, { a, b, suffix, title } = naming(props)
  return (
    <>
      {c.measures.length > 0 && (
        <Section id={'measures' + suffix} title={title(measuresTitle(of))} lead={`The change from ${a} to ${b} with its interval. Grey is the tolerance: inside of it the variants count as the same.`}>
          <Measures contest={c} variants={of.variants} bench={of.kind === 'bench'} />
        </Section>
      )}
      {explained(c) && <Section id={'why' + suffix} title={title(whyTitle(c))}><Why id={'why' + suffix} of={c} a={a} b={b} /></Section>}
    </>
  )
}

/** Details are what the outcome rests on. */
function Details(props: Shown) {
  const { of, contest: c } = props, { a, b, suffix, title } = naming(props)
  const gated = c.measures.find(m => m.gated)?.name ?? 'CPU per request'
  const diff = diffHref(of, c)
  return (
    <>
      {!!c.functions?.length && (
        <Section id={'functions' + suffix} title={title('Functions')} lead="A function's own CPU time per request." side={diff && <a class="button main" data-test="open-diff" href={diff}>Flame graph of the difference</a>}>
          <Functions of={of} contest={c} />
        </Section>
      )}
      {!!c.pairs?.length && (
        <Section id={'pairs' + suffix} title={title('Pairs of slices')} lead={`Each mark is a slice of ${a} and one of ${b}, one right after the other: the change of ${gated}. Shaded stripes are fresh starts.`}>
          <Pairs id={'pairs' + suffix} contest={c} name={gated} />
        </Section>
      )}
    </>
  )
}

const measuresTitle = (of: Comparison) => of.kind === 'bench' ? 'Benchmarks' : 'Measures'
const whyTitle = (c: Contest) => differs(c) ? 'Why' : 'Where the time of a request goes'

/** Sides says what A and B are. Words that all have are grey: what differs stands out. */
function Sides({ of }: { of: Variant[] }) {
  return (
    <dl class="sides" aria-label="Variants">{of.map((v, i) => (
      <div key={i} data-test={'side-' + v.letter}>
        <dt class={'letter l' + i}>{v.letter}</dt>
        <dd><span class="mono"><Words text={v.label} all={of.map(o => o.label)} /></span> <span class="small"><Words text={v.source} all={of.map(o => o.source)} /></span></dd>
      </div>
    ))}</dl>
  )
}

function Words({ text, all }: { text: string, all: string[] }) {
  const words = all.map(t => t.split(/(?<=\s)/).map(w => w.trim()))
  return <>{text.split(/(?<=\s)/).map((w, i) => <span key={i} class={words.every(of => of.includes(w.trim())) ? 'muted' : undefined}>{w}</span>)}</>
}

function Links({ of }: { of: Comparison }) {
  return (
    <div class="variants">
      {of.variants.map((v, i) => (
        <div key={i} class="variant" data-test={'variant-' + v.letter}>
          <span class={'letter l' + i}>{v.letter}</span>
          <span class="links">
            {v.run && has('runs/' + v.run) && <a href={href(['runs', v.run])}>run {v.run}</a>}
            {of.profiles.filter(p => p.run && p.run === v.run && has(p.path)).map((p, j) => <a key={j} href={profileHref(p)}>{plain(p.title, v.letter)}</a>)}
          </span>
        </div>
      ))}
    </div>
  )
}

/** plain is a profile's title without the letter that stands before it already. */
const plain = (title: string, letter: string) => title.startsWith(letter + ': ') ? title.slice(letter.length + 2) : title

function sectionsOf(of: Comparison, several: boolean, profiled: boolean): Part[] {
  const each = (part: (c: Contest) => [unknown, string, string][]): [unknown, string, string][] => of.contests.flatMap(c => {
    const s = several ? '-' + letter(of, c.b).toLowerCase() : '', more = several ? ' of ' + letter(of, c.b) : ''
    return part(c).map(([there, id, title]): [unknown, string, string] => [there, id + s, title + more])
  })
  const all: [unknown, string, string][] = [
    ...each(c => [[c.measures.length, 'measures', measuresTitle(of)], [explained(c), 'why', differs(c) ? 'Why' : 'Time of a request']]),
    ...each(c => [[c.functions?.length, 'functions', 'Functions'], [c.pairs?.length, 'pairs', 'Pairs']]),
    [of.latency?.length, 'latency', 'Latency'], [profiled, 'profiles', 'Profiles'], [true, 'conditions', 'Conditions'],
    [of.environment.length, 'environment', 'Environment'], [of.commands.length, 'next', 'Next'],
  ]
  return all.filter(([there]) => there).map(([, id, title]) => ({ id, title }))
}
