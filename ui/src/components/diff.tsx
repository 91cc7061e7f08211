// A change of source: lines that came and went, told apart by their sign and their colour.

import type { Hunk } from '../model'

const kinds: Record<string, string> = { '+': 'added', '-': 'removed' }

/** Diff shows a hunk under the name of its file, and of the function that it lies in. */
export function Diff({ of }: { of: Hunk }) {
  return (
    <div class="diff" data-test="hunk">
      <p class="small">
        <span class="mono">{of.file}</span>
        {of.function && <> <span class="muted">in</span> <span class="mono">{of.function}</span></>}
        {of.named && <> <span class="badge">in the profiles</span></>}
      </p>
      <div class="code" tabIndex={0} role="group" aria-label={`Change of ${of.file}${of.function ? ', ' + of.function : ''}`}>
        <table role="presentation"><tbody>{of.lines.map((line, i) => <Line key={i} text={line} />)}</tbody></table>
      </div>
    </div>
  )
}

/** Line is one line of a hunk: its sign and what follows it. The first one says where the hunk lies. */
function Line({ text }: { text: string }) {
  if (text.startsWith('@@') || text.startsWith('\\')) return <tr class="place"><td colSpan={2}>{text}</td></tr>
  return <tr class={kinds[text[0] ?? '']}><td>{text[0] ?? ' '}</td><td>{text.slice(1) || ' '}</td></tr>
}
