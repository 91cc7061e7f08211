// Command lines with a button that copies them.

import type { Command } from '../model'
import { copy } from './copy'

/** CommandLine is one command to copy, below what it does. A long one has several lines, so that nothing of it is hidden. */
export function CommandLine({ line, what }: { line: string, what?: string }) {
  return (
    <div>
      {what && <div class="small muted">{what}</div>}
      <div class="command" data-test="command">
        <code>{line}</code>
        <button type="button" aria-label={`Copy ${line}`} onClick={() => void copy(line, 'Command copied')}>Copy</button>
      </div>
    </div>
  )
}

/** Commands lead on: each with what it does. */
export function Commands({ of }: { of: Command[] }) {
  return <div class="commands">{of.map((c, i) => <CommandLine key={i} {...c} />)}</div>
}
