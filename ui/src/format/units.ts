// Ticks of axes, and readings under a pointer. Numbers in tables and sentences come as text from the server.

const times: [number, string][] = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']]
const sizes: [number, string][] = [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'B']]

/** short writes a number with at most three digits that matter, and thousands apart. */
export function short(v: number): string {
  const a = Math.abs(v)
  if (a >= 100 || Number.isInteger(v)) return Math.round(v).toLocaleString('en-US')
  return String(Number(v.toPrecision(3)))
}

function scaled(v: number, steps: [number, string][]): string {
  if (v === 0) return '0'
  const a = Math.abs(v)
  const [by, unit] = steps.find(([n]) => a >= n * 0.9995) ?? steps[steps.length - 1]!
  return `${short(v / by)} ${unit}`
}

/** quantity writes a value with its unit, as short as an axis needs: 1.5 ms, 20 MB, 40 k/s, 12 %. */
export function quantity(v: number, unit: string): string {
  switch (unit) {
    case 'ns': return scaled(v, times)
    case 'B': return scaled(v, sizes)
    case 'share': return `${short(v * 100)} %`
    case '1/s': case 'requests/s': return `${large(v)}/s`
    case '': return large(v)
    default: return `${large(v)} ${unit}`
  }
}

function large(v: number): string {
  const a = Math.abs(v)
  if (a >= 1e9) return `${short(v / 1e9)} G`
  if (a >= 1e6) return `${short(v / 1e6)} M`
  if (a >= 1e4) return `${short(v / 1e3)} k`
  return short(v)
}

/** percent writes a change: +12 %, -0.5 %. */
export function percent(v: number): string {
  const p = v * 100
  const digits = Math.abs(p) >= 10 ? 0 : Math.abs(p) >= 1 ? 1 : 2
  const text = Number(p.toFixed(digits)).toLocaleString('en-US')
  return `${p > 0 ? '+' : ''}${text} %`
}

/** seconds writes a moment of a measurement: 0.25 s, 12 s, 2:30 min. */
export function seconds(v: number): string {
  if (v >= 120) return `${Math.floor(v / 60)}:${String(Math.round(v % 60)).padStart(2, '0')} min`
  return `${short(v)} s`
}

/** moment writes a date of the server in the reader's time zone: 2026-11-23 08:12. */
export function moment(iso: string): string {
  const d = new Date(iso)
  if (Number.isNaN(d.getTime()) || d.getFullYear() < 1971) return ''
  const two = (n: number) => String(n).padStart(2, '0')
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}`
}

/** logTicks are 1, 2, 5 times powers of ten inside of low to high; powers only if those are many. */
export function logTicks(low: number, high: number, most = 8): number[] {
  const make = (of: number[]) => {
    const all: number[] = []
    for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) {
      for (const m of of) {
        const v = m * 10 ** e
        if (v >= low * 0.999 && v <= high * 1.001) all.push(v)
      }
    }
    return all
  }
  for (const of of [[1, 2, 5], [1, 3], [1]]) {
    const all = make(of)
    if (all.length <= most) return all
  }
  return make([1]).filter((_, i) => i % 2 === 0)
}

/** linearTicks are round numbers inside of low to high, about n of them. */
export function linearTicks(low: number, high: number, n = 5): number[] {
  const raw = (high - low) / n
  if (!(raw > 0)) return [low]
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = [1, 2, 2.5, 5, 10].map(m => m * power).find(s => s >= raw) ?? raw
  const all: number[] = []
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) all.push(i === 0 ? 0 : i * step)
  return all
}
