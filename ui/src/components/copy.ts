// Copying to the clipboard, also from a file, where the modern way is not allowed.

import { signal } from '@preact/signals'

/** copied is what was copied last, for a moment, for a message. */
export const copied = signal('')
let timer = 0

/** copy puts text on the clipboard and says so. It returns false if the browser refuses. */
export async function copy(text: string, what = 'Copied'): Promise<boolean> {
  const ok = await modern(text) || oldWay(text)
  copied.value = ok ? what : 'The browser refused to copy.'
  clearTimeout(timer)
  timer = setTimeout(() => { copied.value = '' }, 1800)
  return ok
}

async function modern(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

function oldWay(text: string): boolean {
  const area = document.createElement('textarea')
  const before = document.activeElement as HTMLElement | null
  area.value = text
  area.setAttribute('readonly', '')
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  let ok = false
  try {
    ok = document.execCommand('copy')
  } catch { /* then not */ }
  area.remove()
  before?.focus()
  return ok
}
