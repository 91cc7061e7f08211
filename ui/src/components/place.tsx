// Lines of source: by name, and as a piece of the file with the line marked.

import { withoutTypes } from '../format/names'
import type { Place, Snippet } from '../model'

/** PlaceText names a line: the end of its file, and its function in the title. */
export function PlaceText({ place }: { place: Place | null | undefined }) {
  if (!place) return null
  const line = place.short ? `${place.short}${place.line ? ':' + place.line : ''}` : ''
  return <span title={place.file}>{line && <code>{line}</code>}{line && ' '}{withoutTypes(place.function)}</span>
}

/** SnippetView shows lines of a file. */
export function SnippetView({ snippet }: { snippet: Snippet }) {
  return (
    <div class="code snippet" tabIndex={0} role="group" aria-label={`${snippet.file}, line ${snippet.marked}`}>
      <table role="presentation"><tbody>
        {snippet.lines.map((text, i) => (
          <tr key={i} class={snippet.first + i === snippet.marked ? 'marked' : undefined}><td>{snippet.first + i}</td><td>{text || ' '}</td></tr>
        ))}
      </tbody></table>
    </div>
  )
}
