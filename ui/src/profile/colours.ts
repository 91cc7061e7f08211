// The colours of frames, from the custom properties of profile.css.

import { colour } from '../theme'
import type { Colours } from './flame'

/** origins are whose code a function is, in the order of the legend. */
export const origins: [letter: string, name: string][] = [
  ['u', 'your code'], ['d', 'dependencies'], ['s', 'standard library'], ['r', 'runtime'], ['k', 'collector'], ['o', 'other'],
]

/** colours reads them as they are now. */
export function colours(): Colours {
  const shades = (name: string) => [0, 1, 2, 3, 4].map(n => colour(n === 0 ? '--flame-same' : `--flame-${name}-${n}`))
  const of: Colours['origins'] = { root: { fill: colour('--well'), text: colour('--text') } }
  for (const [letter] of origins) of[letter] = { fill: colour('--flame-' + letter), text: colour(letter === 'u' ? '--flame-strong-text' : '--text') }
  return {
    origins: of, less: shades('less'), more: shades('more'), diffText: colour('--text'), strongText: colour('--flame-strong-text'),
    match: colour('--flame-match'), matchText: colour('--flame-match-text'), page: colour('--page'), focus: colour('--text'),
  }
}
