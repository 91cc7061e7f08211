// Whether the window is narrow, for what style sheets alone cannot lay out.

import { signal } from '@preact/signals'

const query = matchMedia('(max-width: 760px)')

/** narrow is true where a row of many columns has no room. The style sheets have the same width. */
export const narrow = signal(query.matches)

query.addEventListener('change', () => { narrow.value = query.matches })
