// Values as the terminal writes them: three significant digits, a unit that fits, commas between thousands. The rules are
// those of internal/text/units in Go, so that a number is the same text on both, but for the µ.

type Family = [name: string, scale: number][]

const families: Record<string, Family> = {
  nanoseconds: [['s', 1e9], ['ms', 1e6], ['µs', 1e3], ['ns', 1]],
  bytes: [['GB', 1e9], ['MB', 1e6], ['kB', 1e3], ['B', 1]],
}

/** value writes a value of a sample type's unit; of the unit "share" it writes a part of a whole. */
export function value(v: number, unit: string): string {
  if (unit === 'share') return share(v)
  const family = families[unit]
  if (!family) return digits(v)
  const size = Math.abs(rounded(v))
  const [name, scale] = family.find(([, s]) => size >= s) ?? family[family.length - 1]!
  return `${digits(v / scale)} ${name}`
}

/** signed writes a difference: +1.20 µs, -3.00 kB, 0 ns. */
export function signed(v: number, unit: string): string {
  const text = value(v, unit)
  return v > 0 ? '+' + text : text
}

/** share writes a part of a whole of 0 to 1: 27 %, 8.7 %, 0.4 %. */
export function share(v: number): string {
  return `${(100 * v).toFixed(Math.abs(v) >= 0.0995 ? 0 : 1)} %`
}

/** change writes how much more b is than a: -93 %, +0.50 %; nothing if a is 0. */
export function change(a: number, b: number): string {
  if (!a) return b ? 'new' : ''
  const p = 100 * (b / a - 1), size = Math.abs(p), sign = p > 0 ? '+' : ''
  if (size >= 999.5) return sign + whole(p) + ' %'
  const places = size >= 99.95 || size >= 10 && Math.abs(p - Math.round(p)) < 0.05 ? 0 : size >= 1 ? 1 : 2
  return `${sign}${p.toFixed(places)} %`
}

/** digits writes three significant digits, all digits of the whole part, and no exponent. */
export function digits(v: number): string {
  const size = Math.abs(rounded(v))
  if (v === 0) return '0'
  if (!Number.isFinite(v)) return String(v)
  if (size >= 1000) return whole(v)
  if (size >= 100) return v.toFixed(0)
  if (size >= 10) return v.toFixed(1)
  if (size >= 1) return v.toFixed(2)
  if (size >= 0.01) return v.toFixed(3)
  return small(v)
}

/** whole writes a whole number with commas between thousands. */
export function whole(v: number): string {
  const text = Math.round(Math.abs(v)).toLocaleString('en-US', { useGrouping: true, maximumFractionDigits: 0 })
  return v < 0 && text !== '0' ? '-' + text : text
}

function rounded(v: number): number {
  return Number.isFinite(v) ? Number(v.toExponential(2)) : v
}

function small(v: number): string {
  const two = Number(v.toExponential(1))
  if (Math.abs(two) >= 0.01) return v.toFixed(3)
  const places = Math.min(100, 1 - Math.floor(Math.log10(Math.abs(two))))
  return two.toFixed(places).replace(/0+$/, '')
}
