// Made from the types of internal/view/page by `go test ./internal/view/page -update`: do not edit.

export type Kind = 'run' | 'once' | 'load' | 'comparison' | 'bench' | 'bisect' | 'stored'

export type Tone = 'better' | 'worse' | 'neutral' | 'warning' | 'bad' | 'good' | ''

export interface Head {
  schema: string
  kind: Kind
  id: string
  title: string
  started: string
  elapsed?: string
  status: string
  version: string
  host?: string
}

export interface Run extends Head {
  check: Check
  under: string[]
  comparison?: string
  variant?: string
  label: string
  commit?: string
  numbers: Row[]
  numbers_note?: string
  errors?: Row[]
  latency?: Curve | null
  heat_map?: HeatMap | null
  timeline?: Timeline | null
  times?: TimeBar[]
  causes?: TimePart[]
  times_note?: string
  hot?: HotRow[]
  findings: Finding[]
  finding_note?: string
  environment: Row[]
  profiles: ProfileRef[]
  artefacts: Artefact[]
  commands: Command[]
}

export interface Statement {
  text: string
  tone: Tone
}

export interface Check extends Statement {
  notes?: Statement[]
}

export interface Row {
  name: string
  text: string
  parts?: string[]
  note?: string
  tone?: Tone
}

export interface Curve {
  name: string
  loop: string
  count: number
  percentiles: number[]
  ns: number[]
  marks: CurveMark[]
}

export interface CurveMark {
  name: string
  ns: number
  text: string
}

export interface HeatMap {
  seconds: number[]
  bounds_ns: number[]
  counts: number[][]
}

export interface Timeline {
  seconds: number[]
  series: TimeSeries[]
  marks?: TimelineMark[]
}

export interface TimeSeries {
  name: string
  group: string
  unit: string
  values: (number | null)[]
  stacked?: boolean
}

export interface TimelineMark {
  seconds: number
  until?: number
  kind: string
  text: string
}

export interface TimeBar {
  cohort: string
  title: string
  requests: number
  latency: Number
  parts: TimePart[]
}

export interface Number {
  value: number
  text: string
}

export interface TimePart {
  state: string
  text: string
  ns: number
  share: number
  label: string
  place?: Place | null
}

export interface Place {
  function: string
  file?: string
  short?: string
  line?: number
}

export interface HotRow {
  what: string
  place?: string
  share?: string
  samples?: string
  finding?: number
}

export interface Finding {
  number: number
  rule: string
  title: string
  place?: Place | null
  cost?: string
  gain?: string
  gain_share: number
  evidence: Evidence[]
  change: string
  before?: string
  after?: string
  verify?: string
  source?: Snippet | null
}

export interface Evidence {
  source: string
  text: string
  stack?: string[]
}

export interface Snippet {
  file: string
  first: number
  marked: number
  lines: string[]
}

export interface ProfileRef {
  kind: string
  title: string
  run: string
  path: string
  cohort?: string
}

export interface Artefact {
  kind: string
  name: string
  size: string
  sha256: string
}

export interface Command {
  line: string
  what: string
}

export interface Comparison extends Head {
  variants: Variant[]
  under: string[]
  verdicts: Statement[]
  stopped?: string
  gates?: GateLine[]
  check: Check
  answers?: Statement[]
  contests: Contest[]
  latency?: Curve[]
  environment: EnvironmentRow[]
  profiles: ProfileRef[]
  commands: Command[]
  bisect?: Bisection | null
}

export interface Variant {
  letter: string
  label: string
  run?: string
  commit?: string
  source: string
}

export interface GateLine extends Statement {
  name: string
  variant?: string
  outcome: string
  reason: string
}

export interface Contest {
  a: number
  b: number
  word: string
  tone: Tone
  tolerance: number
  measures: MeasureRow[]
  shared?: string
  pairs?: Pair[]
  blocks?: Block[]
  pairs_note?: string
  findings?: FindingChange[]
  waterfalls?: Waterfall[]
  functions?: FunctionRow[]
  functions_note?: string
}

export interface RowName {
  key: string
  name: string
  group?: string
  benchmark?: string
  unit: string
  better: string
}

export interface Difference {
  change: Number
  low: number
  high: number
  bounded: boolean
  interval: string
}

export interface MeasureRow extends RowName, Difference {
  a: Number
  b: Number
  word: string
  tone: Tone
  gated?: boolean
  note?: string
  excluded?: number
}

export interface Pair {
  seconds: number
  block: number
  change: number
  steal?: boolean
  collector?: boolean
  disturbed?: boolean
}

export interface Block {
  from: number
  to: number
  pairs: number
  middle: number
}

export interface FindingChange {
  word: string
  title: string
  place: string
  rule: string
  measure: string
  delta: Number
}

export interface Waterfall {
  title: string
  from: Number
  to: Number
  steps: WaterfallStep[]
  note?: string
}

export interface WaterfallStep {
  kind: string
  name: string
  delta: Number
  share?: string
  interval?: string
  place?: Place | null
}

export interface FunctionRow {
  name: string
  a: Number
  b: Number
  delta: Number
  interval?: string
  word: string
  tone: Tone
}

export interface EnvironmentRow {
  name: string
  values: string[]
  differs?: boolean
}

export interface Bisect {
  sentence: string
  tone: Tone
  under: string[]
  steps?: BisectStep[]
  skipped?: Row[]
  probes?: Row[]
}

export interface BisectStep {
  sentence: string
  tone: Tone
  commits: Row[]
  why?: string[]
  hunks?: Hunk[]
  more_hunks?: number
  command?: string
}

export interface Hunk {
  file: string
  function?: string
  named?: boolean
  lines: string[]
}

export interface Bisection extends Bisect {
  measure: string
  places: BisectPlace[]
  whole?: string
  comparisons: string[]
}

export interface BisectPlace {
  commit: string
  subject: string
  date: string
  commits: number
  probability: number
  found?: boolean
  skipped?: string
  ratio?: number
  low?: number
  high?: number
  text?: string
}

export interface History {
  schema: string
  measure: MeasureName
  known: KnownFilters
  series: TrendSeries[]
  newest: Entry[]
  runs: number
  comparisons: number
}

export interface MeasureName {
  key: string
  name: string
  unit: string
  better: string
}

export interface KnownFilters {
  measures: MeasureName[]
  packages: string[]
  labels: string[]
  targets: string[]
  statuses: string[]
}

export interface TrendSeries {
  title: string
  name: string
  package: string
  label: string
  plan: string
  machine: string
  unit: string
  points: TrendPoint[]
  changes?: TrendStep[]
  baseline?: TrendBaseline | null
  earlier?: number
}

export interface TrendPoint {
  run: string
  started: string
  commit?: string
  status: string
  value: number | null
  low?: number
  high?: number
  text: string
  change?: string
  change_from?: string
  against_baseline?: string
  baselines?: string[]
  counts?: boolean
  disturbed?: boolean
}

export interface TrendStep {
  point: number
  before: number
  after: number
  text: string
  tone: Tone
}

export interface TrendBaseline {
  name: string
  run: string
  value: number
  text: string
}

export interface Entry {
  kind: Kind
  id: string
  started: string
  title: string
  status: string
  text: string
  tone: Tone
  disturbed?: boolean
  comparison?: string
}

export interface Series {
  schema: string
  store: string
  commit_pages?: string
  commits: SeriesCommit[]
  lines: SeriesLine[]
  notes?: string[]
}

export interface SeriesCommit {
  hash: string
  day: string
  author: string
  subject: string
}

export interface SeriesLine {
  name: string
  measure: string
  branch: string
  imported?: string
  now: string
  tone: Tone
  at: number[]
  values: (number | null)[]
  half?: number[]
  steps: SeriesStep[]
}

export interface SeriesStep {
  point: number
  hash: string
  text: string
  tone: Tone
  report?: string
}

export interface Live {
  schema: string
  id: string
  key: string
  command: string
  started: string
  phase: string
  phase_seconds: number
  phase_expected: number
  done: number
  total: number
  left?: string
  variant?: string
  loaded?: boolean
  rate: Number
  asked: Number
  p50: Number
  p99: Number
  p99_9: Number
  errors: number
  causes?: Row[]
  vitals?: Vital[]
  past: LivePoint[]
  note?: string
  warnings?: string[]
  ended?: boolean
  kind: Kind
}

export interface Vital {
  name: string
  of: string
  unit: string
  value: number
  text: string
  tone?: Tone
}

export interface LivePoint {
  seconds: number
  variant?: string
  rate: number
  p99_ns: number
  errors: number
}

export interface Profile {
  schema: string
  title: string
  kind: string
  run: string
  cohort?: string
  cohorts?: string[]
  requests: number
  seconds: number
  operation?: string
  per_request?: boolean
  measured?: Number | null
  packed: Packed | null
  notes?: string[]
}

export interface Packed {
  types: PackedType[]
  strings: string[]
  name_of: number[]
  file_of: number[]
  package_of: number[]
  origin_of: string
  depth: number[]
  function: number[]
  line: number[]
  inlined: string
  self: number[][]
  blamed?: number[]
  dropped?: number
}

export interface PackedType {
  name: string
  unit: string
  accumulates: boolean
  default?: boolean
}

export interface Source {
  schema: string
  file: string
  pieces: Snippet[]
  error?: string
}
