// Sentences with a tone. The sign tells the tones apart without colour.

import type { Statement as Data, Tone } from '../model'

const signs: Record<Tone, [string, string]> = {
  better: ['▼', 'better'], worse: ['▲', 'worse'], neutral: ['•', ''], warning: ['!', 'warning'], bad: ['✕', 'bad'],
  good: ['✓', 'good'], '': ['', ''],
}

/** Sign shows a tone. Where more is better, better points up. */
export function Sign({ tone, up = false }: { tone: Tone | undefined, up?: boolean }) {
  let [sign, word] = signs[tone ?? ''] ?? signs['']
  if (up && tone === 'better') sign = '▲'
  if (up && tone === 'worse') sign = '▼'
  if (!sign) return null
  return <span class={'sign tone-' + tone} aria-hidden="true" title={word}>{sign}</span>
}

/** Statement is one sentence with its sign. */
export function Statement({ text, tone }: Data) {
  return <div class="statement"><Sign tone={tone} /><span class="text">{text}</span></div>
}

/** Statements are several, one below the other; nothing if there are none. */
export function Statements({ of, class: name }: { of: Data[] | undefined, class?: string }) {
  if (!of?.length) return null
  return <div class={name}>{of.map((s, i) => <Statement key={i} {...s} />)}</div>
}
