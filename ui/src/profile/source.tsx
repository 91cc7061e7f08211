// Files with the cost of each line beside its text.

import { useMemo } from 'preact/hooks'
import { has } from '../api'
import { Answer } from '../components/answer'
import { CommandLine } from '../components/command'
import type { Source } from '../model'
import { route, setParams } from '../router'
import { value } from './format'
import type { Side } from './grow'
import { files, lines, type Cost } from './tally'
import type { Functions } from './tree'

interface Props { run: string, kind: string, functions: Functions, side: Side, unit: string, selected: number }

/** SourceView shows a file of the profile; at first that of the selected function, else the most expensive one. */
export function SourceView({ run, kind, functions, side, unit, selected }: Props) {
  const all = useMemo(() => [...files(side.tree, functions, side.values)].sort((a, b) => b[1].own - a[1].own || b[1].total - a[1].total), [side, functions])
  const users = new Set(functions.files.filter((_, i) => functions.origins[i] === 'u'))
  const file = route.value.params.get('file') || functions.files[selected] || all.find(([f]) => users.has(f))?.[0] || all[0]?.[0] || ''
  const costs = useMemo(() => lines(side.tree, functions, side.values, file), [side, functions, file])
  const path = `runs/${run}/source/${kind}?file=${encodeURIComponent(file)}`
  const text = (v: number) => v ? value(v * side.scale, unit) : ''
  return (
    <div data-test="source-view">
      <label class="small">File <select class="field" value={file} onChange={e => setParams({ file: e.currentTarget.value }, true)}>
        {all.map(([f, c]) => <option key={f} value={f}>{f} ({text(c.own) || '0'} own, {text(c.total)} total)</option>)}
      </select></label>
      {!file && <p class="muted">This profile names no source file.</p>}
      {file && (has(path)
        ? <Answer<Source> path={path}>{s => s.error || !s.pieces.length
          ? <><p class="muted">{s.error || 'The source of this file is not kept.'}</p><Costs costs={costs} text={text} /></>
          : <>{s.pieces.map((piece, i) => <Costs key={i} costs={costs} text={text} first={piece.first} code={piece.lines} />)}</>}</Answer>
        : <><p class="muted">This report has no source text of the file. The lines that cost are below. The server shows the text:</p><CommandLine line="hone serve" /><Costs costs={costs} text={text} /></>)}
    </div>
  )
}

function Costs({ costs, text, first, code }: { costs: Map<number, Cost>, text: (v: number) => string, first?: number, code?: string[] }) {
  const numbers = code ? code.map((_, i) => first! + i) : [...costs.keys()]
  const most = Math.max(1e-9, ...[...costs.values()].map(c => c.total))
  return (
    <div class="code line-costs" tabIndex={0} role="group" aria-label="Lines with their cost"><table>
      <thead><tr><th>own</th><th>total</th><th>line</th><th>source</th></tr></thead>
      <tbody>{numbers.map((n, i) => {
        const c = costs.get(n)
        const heat = c ? Math.round(35 * c.total / most) : 0
        return <tr key={n} style={heat ? { background: `color-mix(in srgb, var(--b) ${heat}%, transparent)` } : undefined}><td>{c && text(c.own)}</td><td>{c && text(c.total)}</td><td>{n}</td><td>{code?.[i] ?? ''}</td></tr>
      })}</tbody>
    </table></div>
  )
}
