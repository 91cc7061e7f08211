// Command lines with a button that copies them.

import type { Command } from '../model'
import { copy } from './copy'

/** CommandLine is one command to copy. */
export function CommandLine({ line, what }: { line: string, what?: string }) {
  return (
    <div class="command" data-test="command">
      <code tabIndex={0} aria-label={what ? `${what}: ${line}` : line}>{line}</code>
      <button type="button" aria-label={`Copy ${line}`} onClick={() => void copy(line, 'Command copied')}>Copy</button>
    </div>
  )
}

/** Commands lead on: each with what it does. */
export function Commands({ of }: { of: Command[] }) {
  return (
    <div class="commands">
      {of.map((c, i) => (
        <div key={i}>
          <div class="small muted">{c.what}</div>
          <CommandLine {...c} />
        </div>
      ))}
    </div>
  )
}
