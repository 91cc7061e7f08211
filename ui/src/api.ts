// Answers of hone's API (docs/api.md). A report has the answers that it needs inside; elsewhere the server is asked.

let embedded: Record<string, unknown> | null = null

/** inReport says that the page is a file, without a server behind it. */
export function inReport(): boolean {
  return embedded !== null
}

/** openReport unpacks the answers of a report: gzip in base64, in the element hone-answers. It returns false on a server. */
export async function openReport(): Promise<boolean> {
  const packed = document.getElementById('hone-answers')?.textContent
  if (!packed) return false
  const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0))
  const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
  embedded = JSON.parse(text) as Record<string, unknown>
  return true
}

/** ApiError is an answer that is an error, with what to do next. */
export class ApiError extends Error {
  constructor(message: string, readonly hint = '') {
    super(message)
  }
}

const known = new Map<string, Promise<unknown>>()

/** get reads the answer at a path below /api/v1/, "runs/0a1b2c3d" say. Answers are kept unless fresh is set. */
export function get<T>(path: string, fresh = false): Promise<T> {
  let answer = fresh ? undefined : known.get(path)
  if (!answer) {
    answer = ask(path).then(value => { timed(); return value })
    known.set(path, answer)
    answer.catch(() => known.delete(path))
  }
  return answer as Promise<T>
}

let untimed = true

/** timed marks when the first answer is there, and when what it shows was painted: performance marks for benchmarks. */
function timed(): void {
  if (!untimed) return
  untimed = false
  performance.mark('hone-data')
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => performance.mark('hone-painted'))))
}

/** code are the fields whose texts are source, commands or names: they stay as they are. */
const code = new Set(['line', 'lines', 'before', 'after', 'verify', 'stack', 'packed'])

/** micro writes µs in the texts of an answer, for which terminals have us. */
export function micro(of: unknown): unknown {
  if (typeof of === 'string') return of.replace(/(?<=\d) us\b/g, ' µs')
  if (Array.isArray(of)) return typeof of[0] === 'number' ? of : of.map(micro)
  if (of === null || typeof of !== 'object') return of
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, code.has(name) ? value : micro(value)]))
}

const ask = async (path: string) => micro(await answer(path))

async function answer(path: string): Promise<unknown> {
  if (embedded) {
    if (path in embedded) return embedded[path]
    throw new ApiError('This report does not contain that page.', 'hone serve shows all runs of the ledger')
  }
  const response = await fetch('api/v1/' + path, { headers: { Accept: 'application/json' } })
  const body = await response.json().catch(() => null)
  if (!response.ok) throw new ApiError(body?.error ?? `The server answered ${response.status}.`, body?.hint ?? '')
  return body
}

/** first is the path that a report opens with, below #/; empty on a server. */
export function first(): string {
  return embedded ? String(embedded['first'] ?? '') : ''
}

/** has says whether an answer can be had: a report has some only. */
export function has(path: string): boolean {
  return embedded === null || path in embedded
}
