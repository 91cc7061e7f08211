// The sentence that a page is about.

import type { Statement } from '../model'
import { Sign } from './statement'

/** Verdict is the sentence: its first part large, the numbers in brackets and after it below. */
export function Verdict({ text, tone }: Statement) {
  const { head, rest } = split(text)
  return (
    <h2 class="verdict" data-test="verdict" aria-label={text}>
      <span class="statement"><Sign tone={tone} /><span><span class={tone === 'bad' ? 'tone-bad' : undefined}>{head}</span>{rest && <span class="rest">{rest}</span>}</span></span>
    </h2>
  )
}

/** split parts a sentence at its first bracket or semicolon that stands outside of brackets. */
export function split(text: string): { head: string, rest: string } {
  const bracket = text.indexOf('('), semicolon = text.indexOf('; ')
  if (bracket > 0 && (semicolon < 0 || bracket < semicolon)) return { head: text.slice(0, bracket).trim(), rest: text.slice(bracket) }
  if (semicolon > 0) return { head: text.slice(0, semicolon), rest: text.slice(semicolon + 2) }
  return { head: text, rest: '' }
}
