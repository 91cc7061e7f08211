// The screens of one profile, and of the difference of two.

import { useEffect, useMemo, useRef } from 'preact/hooks'
import { get, has } from '../api'
import { Answer } from '../components/answer'
import { copy } from '../components/copy'
import { useTitle } from '../components/head'
import { profileHref } from '../components/profiles'
import type { Profile, Run } from '../model'
import { href, route, setParams } from '../router'
import { useState } from 'preact/hooks'
import { origins } from './colours'
import { DiffWith } from './diffwith'
import { FlameView } from './flameview'
import { FunctionTable } from './functions'
import { change, share, signed, value } from './format'
import { callees, callers, grow, heaviest, type Graph, type Side } from './grow'
import { folded, save, savePicture } from './save'
import { SourceView } from './source'
import { search, table } from './tally'
import { Functions, sum, unpack, type Tree } from './tree'
import './profile.css'

declare global {
  interface Window {
    /** honeTimings are moments since the page was opened, in ms: when a profile had arrived, was parsed, and was painted. */
    honeTimings?: { arrived: number, parsed: number, painted: number }
  }
}

const address = (run: string, kind: string) => {
  const cohort = route.value.params.get('cohort')
  return `runs/${run}/profiles/${kind}` + (cohort ? `?cohort=${encodeURIComponent(cohort)}` : '')
}

/** ProfileScreen shows where a run spent what its profile of a kind counts. */
export function ProfileScreen({ run, kind }: { run: string, kind: string }) {
  const path = address(run, kind)
  return <Answer<Profile> path={path}>{p => <Screen key={path} profiles={[p]} />}</Answer>
}

/** DiffScreen shows how the profiles of two runs differ. */
export function DiffScreen({ a, b, kind }: { a: string, b: string, kind: string }) {
  const first = address(a, kind), second = address(b, kind)
  return <Answer<Profile> path={first}>{pa => <Answer<Profile> path={second}>{pb => <Screen key={first + second} profiles={[pa, pb]} />}</Answer>}</Answer>
}

interface Loaded { functions: Functions, trees: Tree[] }

function load(profiles: Profile[]): Loaded {
  const arrived = performance.now(), functions = new Functions()
  const trees = profiles.map(p => unpack(p.packed!, functions))
  window.honeTimings = { arrived, parsed: performance.now(), painted: 0 }
  performance.mark('hone-profile-parsed')
  return { functions, trees }
}

function paintedNow(): void {
  if (!window.honeTimings || window.honeTimings.painted) return
  window.honeTimings.painted = performance.now()
  performance.mark('hone-profile-painted')
}

const viewNames: Record<string, string> = { flame: 'Flame', sandwich: 'Sandwich', table: 'Table', source: 'Source' }
const perNames: Record<string, string> = { request: 'per request', second: 'per second', total: 'total', share: 'share' }

function Screen({ profiles }: { profiles: Profile[] }) {
  const first = profiles[0]!, two = profiles.length > 1
  useTitle(two ? `Difference of ${profiles.map(p => p.title).join(' and ')}` : `${first.title} · ${first.run}`)
  if (profiles.some(p => !p.packed)) return <p class="empty">This profile has no samples.</p>
  return <Loadable profiles={profiles} />
}

function Loadable({ profiles }: { profiles: Profile[] }) {
  const { functions, trees } = useMemo(() => load(profiles), profiles)
  const first = profiles[0]!, two = profiles.length > 1, params = route.value.params
  const types = trees[0]!.types, named = types.findIndex(t => t.name === params.get('type'))
  const type = named >= 0 ? named : Math.max(0, types.findIndex(t => t.default))
  const mayBlame = trees.every(t => t.blamed && t.blames === type), blame = mayBlame && params.get('blame') === 'on'
  const ways = [
    ...(first.per_request || types[type]!.accumulates && profiles.every(p => p.requests > 0) ? ['request'] : []),
    ...(!first.per_request && types[type]!.accumulates && profiles.every(p => p.seconds > 0) ? ['second'] : []),
    ...(first.per_request ? [] : ['total']), 'share',
  ]
  const per = ways.includes(params.get('per') ?? '') ? params.get('per')! : ways[0]!
  const fold = params.get('code') === 'own', unit = per === 'share' ? 'share' : types[type]!.unit
  const sides = useMemo(() => trees.map((tree, i): Side => {
    const p = profiles[i]!, column = tree.types.findIndex(t => t.name === types[type]!.name)
    const values = blame ? tree.blamed! : tree.self[column] ?? new Float64Array(tree.size)
    const scale = per === 'share' ? 1 / (sum(values) || 1) : per === 'total' || p.per_request ? 1 : per === 'request' ? 1 / p.requests : 1 / p.seconds
    return { tree, values, scale }
  }), [trees, type, blame, per])
  const graph = useMemo(() => grow(functions, sides, fold), [sides, fold])
  const rows = useMemo(() => table(graph), [graph])
  const q = params.get('q') ?? '', found = useMemo(() => search(graph, q), [graph, q])
  const [draft, setDraft] = useState(q)
  useEffect(() => { // a search through a large profile waits until the typing pauses
    if (draft === q) return
    const timer = setTimeout(() => setParams({ q: draft || undefined }), 150)
    return () => clearTimeout(timer)
  }, [draft])
  const view = viewNames[params.get('view') ?? ''] && !(two && params.get('view') === 'source') ? params.get('view')! : 'flame'
  const sel = functions.find(params.get('sel') ?? '')
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (e.key !== '/' || e.ctrlKey || e.metaKey || (e.target as HTMLElement).closest('input, select, textarea')) return
      e.preventDefault()
      box.current?.focus()
    }
    addEventListener('keydown', key)
    return () => removeEventListener('keydown', key)
  }, [])
  useEffect(() => { if (view !== 'flame') paintedNow() }, [view])
  const names: Record<string, string> = { ...perNames, request: 'per ' + (first.operation ?? 'request') }, after = per === 'share' ? '' : ' ' + names[per]
  const read = (g: Graph, node: number) => frameText(g, node, unit, after)
  const select = (fn: number) => setParams({ sel: functions.names[fn] })
  const [height, drawing] = useRestOfWindow()
  const press = (name: string, now: string, all: [string, string][], push = false) => all.length > 1 && <span class="group" role="group" aria-label={name}>
    {all.map(([v, text]) => <button key={v} type="button" aria-pressed={v === now} data-test={`${name}-${v}`} onClick={() => setParams({ [name]: v }, push)}>{text}</button>)}</span>
  return (
    <div data-test="profile-screen">
      <div class="page-head">
        <div class="crumbs"><span class="badge">{two ? 'Difference' : 'Profile'}</span>{profiles.map((p, i) => <span key={i}>{two && <b>{'AB'[i]} </b>}{p.run ? <a class="mono" href={href(['runs', p.run])}>{p.run}</a> : null} {p.title}</span>)}</div>
        <h1>{totalText(graph, unit, after, types[type]!.name)}</h1>
        {unit === 'nanoseconds' && per === 'request' && <Measured profiles={profiles} />}
      </div>
      <Others run={first} two={two} other={profiles[1]} />
      <div class="profile-bar">
        {press('view', view, Object.entries(viewNames).filter(([v]) => !two || v !== 'source'), true)}
        {press('type', types[type]!.name, types.map(t => [t.name, t.name]))}
        {press('per', per, ways.map(w => [w, names[w]!]))}
        {first.cohorts && press('cohort', first.cohort ?? '', first.cohorts.map(c => [c, c]))}
        {two && view === 'flame' && press('width', params.get('width') || 'sum', [['sum', 'A + B'], ['a', 'A widths'], ['b', 'B widths'], ['both', 'both']])}
        {mayBlame && <label title="Hands the collector's background work to the code that allocates"><input type="checkbox" checked={blame} data-test="blame" onChange={e => setParams({ blame: e.currentTarget.checked ? 'on' : undefined })} /> blame allocations for the collector</label>}
        <label title="Library and runtime frames count as the function of yours that calls them"><input type="checkbox" checked={fold} data-test="own-code" onChange={e => setParams({ code: e.currentTarget.checked ? 'own' : undefined })} /> your code only</label>
      </div>
      <div class="profile-bar">
        <input ref={box} class="field" type="search" placeholder="Search: part of a name, or /regex/" aria-label="Search functions" value={draft} data-test="profile-search" onInput={e => setDraft(e.currentTarget.value)} />
        <span role="status" data-test="matched">{found && (found.error || `${found.count} functions match: ${found.total.map((t, c) => (two ? 'AB'[c] + ' ' : '') + share(t / (graph.total[c]![0] || 1))).join(', ')}`)}</span>
        {!two && !first.cohort && <DiffWith of={first} />}
        <span class="right">
          <button type="button" class="button" onClick={() => void copy(location.href, 'Link copied')}>Copy link</button>
          <button type="button" class="button" onClick={() => savePicture(`${first.kind}-${first.run}.png`)} disabled={view !== 'flame' && view !== 'sandwich'}>PNG</button>
          <button type="button" class="button" onClick={() => graph.self.forEach((_, c) => save(`${first.kind}-${profiles[c]!.run}.folded`, new Blob([folded(grow(functions, [{ ...sides[c]!, scale: 1 }], fold))])))}>Folded stacks</button>
        </span>
      </div>
      {[...new Set(profiles.flatMap(p => p.notes ?? []))].map(n => <p key={n} class="small muted">{n}</p>)}
      <div ref={drawing}>
      {view === 'flame' && <Flames graph={graph} unit={unit} found={found} read={read} onSelect={select} most={height} />}
      {view === 'table' && <FunctionTable graph={graph} rows={rows} unit={unit} found={found} selected={sel} height={height} onSelect={fn => setParams({ sel: functions.names[fn], view: 'sandwich' }, true)} />}
      {view === 'sandwich' && <Sandwich graph={graph} rows={rows} unit={unit} found={found} read={read} selected={sel >= 0 ? sel : most(graph, rows)} onSelect={select} height={height} />}
      {view === 'source' && <SourceView run={first.run} kind={first.kind} functions={functions} side={sides[0]!} unit={unit} selected={sel} />}
      </div>
      {(view === 'flame' || view === 'sandwich') && <Legend two={two} />}
      {sel >= 0 && view !== 'source' && <p class="small">{functions.names[sel]} <button type="button" class="link-button" onClick={() => setParams({ view: 'sandwich' }, true)}>callers and callees</button>{!two && functions.files[sel] && <> · <button type="button" class="link-button" onClick={() => setParams({ view: 'source', file: undefined }, true)}>source</button></>}</p>}
    </div>
  )
}

/** useRestOfWindow is the height from an element's top to the foot of the window, with room for what stands below it. */
function useRestOfWindow(): [number, { current: HTMLDivElement | null }] {
  const box = useRef<HTMLDivElement>(null)
  const [height, set] = useState(Math.max(leastHeight, innerHeight - 330))
  useEffect(() => {
    const fit = () => box.current && set(Math.max(leastHeight, Math.round(innerHeight - box.current.getBoundingClientRect().top - scrollY - 92)))
    const watch = new ResizeObserver(fit)
    watch.observe(box.current!.parentElement!)
    addEventListener('resize', fit)
    return () => { watch.disconnect(); removeEventListener('resize', fit) }
  }, [])
  return [height, box]
}

const leastHeight = 320

/** Measured says what the clocks say: a profile's total is an estimate of it. */
function Measured({ profiles }: { profiles: Profile[] }) {
  if (!profiles.every(p => p.measured)) return null
  return <p class="muted" data-test="measured">sampled; measured: {profiles.map(p => p.measured!.text).join(' → ')} per request. The profile shows where the time goes, the clocks how much it is.</p>
}

const most = (g: Graph, rows: Row[]) => rows.reduce((best, r) => Math.abs(weigh(g, r)) > Math.abs(weigh(g, best)) ? r : best, rows[0] ?? { fn: -1, own: [0, 0], total: [0, 0] }).fn
const weigh = (g: Graph, r: Row) => g.total.length > 1 ? r.own[1]! - r.own[0]! : r.own[0]!
type Row = ReturnType<typeof table>[number]

interface Shared { graph: Graph, unit: string, found: ReturnType<typeof search>, read: (g: Graph, node: number) => string[], onSelect: (fn: number) => void }

function Flames({ graph, most, ...rest }: Shared & { most: number }) {
  const { params } = route.value
  const focus = params.get('focus') ?? '', width = params.get('width') || 'sum', two = graph.total.length > 1
  const zoom = useMemo(() => { // a frame by its key, or the heaviest of a function
    if (/^~[0-9a-f]+$/.test(focus)) return parseInt(focus.slice(1), 16)
    const n = focus ? heaviest(graph, graph.functions.find(focus)) : -1
    return n > 0 ? graph.key[n]! : 0
  }, [graph, focus])
  const sums = useMemo(() => two ? graph.total[0]!.map((v, i) => v + graph.total[1]![i]!) : graph.total[0]!, [graph])
  const onZoom = (key: number) => setParams({ focus: key ? '~' + key.toString(16) : undefined }, true)
  const one = (name: string, widths: Float64Array, high: number) => <FlameView name={name} graph={graph} widths={widths} zoom={zoom} onZoom={onZoom} most={high} onPaint={paintedNow} {...rest} />
  if (!two) return one('Flame graph', sums, most)
  if (width === 'both') return <>{one('A widths', graph.total[0]!, most / 2)}{one('B widths', graph.total[1]!, most / 2)}</>
  return one('Difference flame graph', width === 'a' ? graph.total[0]! : width === 'b' ? graph.total[1]! : sums, most)
}

function Sandwich({ graph, rows, selected, height, ...rest }: Shared & { rows: Row[], selected: number, height: number }) {
  const [over, below] = useMemo(() => [callers(graph, selected), callees(graph, selected)], [graph, selected])
  const [zooms, setZooms] = useState({ over: 0, below: 0 })
  useEffect(() => setZooms({ over: 0, below: 0 }), [over])
  const widths = (g: Graph) => g.total.length > 1 ? g.total[0]!.map((v, i) => v + g.total[1]![i]!) : g.total[0]!
  const wide = useMemo(() => [widths(over), widths(below)] as const, [over, below])
  return (
    <div class="sandwich">
      <FunctionTable compact graph={graph} rows={rows} unit={rest.unit} found={rest.found} selected={selected} height={height} onSelect={rest.onSelect} />
      {selected >= 0 && <div>
        <h2>Callers of {graph.functions.names[selected]}</h2>
        <FlameView {...rest} name="Callers" graph={over} widths={wide[0]} zoom={zooms.over} onZoom={k => setZooms({ ...zooms, over: k })} onSelect={() => {}} most={height / 2 - 40} flip />
        <h2>Callees</h2>
        <FlameView {...rest} name="Callees" graph={below} widths={wide[1]} zoom={zooms.below} onZoom={k => setZooms({ ...zooms, below: k })} onSelect={() => {}} most={height / 2 - 40} />
      </div>}
    </div>
  )
}

/** Others leads to the other profiles of the run, in the same view. */
function Others({ run, two, other }: { run: Profile, two: boolean, other?: Profile }) {
  const [of, set] = useState<Run | null>(null), path = 'runs/' + run.run
  useEffect(() => { if (run.run && has(path)) get<Run>(path).then(set, () => {}) }, [path])
  const view = route.value.params.get('view') ?? undefined
  const open = (of?.profiles ?? []).filter(p => two ? has(`runs/${other!.run}/profiles/${p.kind}`) && has(p.path) && !p.cohort : has(p.path))
  if (open.length < 2) return null
  return (
    <div class="profile-bar">
      <span class="group" role="group" aria-label="Profiles of this run">{open.map((p, i) => <a key={i} aria-current={p.kind === run.kind && (p.cohort ?? '') === (run.cohort ?? '') ? 'page' : undefined}
        href={two ? href(['diff', run.run, other!.run, p.kind], { view }) : profileHref(p, { view })}>{p.title}</a>)}</span>
    </div>
  )
}

function Legend({ two }: { two: boolean }) {
  const all = two ? [['less', 'B has less (−)'], ['same', 'equal (=)'], ['more', 'B has more (+)']] : origins
  return <div class="flame-legend" aria-label="Colours">{all.map(([key, name]) => <span key={key}><span class={'origin origin-' + key} aria-hidden="true" />{name}</span>)}</div>
}

function totalText(g: Graph, unit: string, after: string, type: string): string {
  const all = g.total.map(t => t[0]!)
  if (all.length < 2) return `${type}: ${value(all[0]!, unit)}${after}`
  return `${type}${after}: ${value(all[0]!, unit)} → ${value(all[1]!, unit)} (${change(all[0]!, all[1]!) || '0 %'})`
}

/** frameText is what a frame has, in lines: name, total, own, and its place. */
function frameText(g: Graph, n: number, unit: string, after: string): string[] {
  const fn = g.fn[n]!, name = fn < 0 ? 'all' : g.functions.names[fn]!
  const up = Math.max(0, g.parent[n]!)
  const parts = (values: Float64Array[]) => values.length < 2
    ? `${value(values[0]![n]!, unit)}${after}, ${share(values[0]![n]! / (g.total[0]![0] || 1))} of all`
    : `A ${value(values[0]![n]!, unit)}, B ${value(values[1]![n]!, unit)}${after}, ${signed(values[1]![n]! - values[0]![n]!, unit)} (${change(values[0]![n]!, values[1]![n]!) || '0 %'})`
  return [name, `total ${parts(g.total)}${g.total.length < 2 && n > 0 ? `, ${share(g.total[0]![n]! / (g.total[0]![up] || 1))} of its caller` : ''}`, `own ${parts(g.self)}`, ...(fn >= 0 && g.functions.files[fn] ? [g.functions.files[fn]!] : [])]
}
