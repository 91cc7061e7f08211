// Findings: what to change, where, why, and what it may gain.

import type { Finding } from '../../model'
import { CommandLine } from '../../components/command'
import { PlaceText, SnippetView } from '../../components/place'

/** Findings are cards, the largest gain first as the server orders them. */
export function Findings({ of, note }: { of: Finding[], note: string | undefined }) {
  return (
    <>
      <div class="findings">{of.map(f => <Card key={f.number} of={f} />)}</div>
      {note && <p class={of.length ? 'small muted' : ''} style={{ marginTop: of.length ? '10px' : '0' }}>{note}</p>}
    </>
  )
}

function Card({ of: f }: { of: Finding }) {
  return (
    <article class="finding" id={'finding-' + f.number} aria-labelledby={`finding-${f.number}-title`} data-test="finding">
      <header>
        <span class="n" aria-label={`finding ${f.number}`}>{f.number}</span>
        <div>
          <h3 id={`finding-${f.number}-title`}>{f.title}</h3>
          <div class="where">{f.place && <><PlaceText place={f.place} /> · </>}{f.cost && <>{f.cost} · </>}rule {f.rule}</div>
        </div>
        {f.gain && (
          <div class="gain">
            <b>{f.gain}</b>
            {f.gain_share > 0 && <div class="gain-bar" role="img" aria-label={`at most ${Math.round(f.gain_share * 100)} % of its measure`}><span style={{ width: Math.min(100, f.gain_share * 100) + '%' }} /></div>}
          </div>
        )}
      </header>
      <div class="inner">
        {f.change && <div><h4>What to change</h4><p>{f.change}</p></div>}
        {f.source && <div><h4>Your code</h4><div class="small muted mono">{f.source.file}</div><SnippetView snippet={f.source} /></div>}
        {(f.before || f.after) && (
          <div class="two">
            {f.before && <div><h4>Before</h4><pre class="code" tabIndex={0}>{f.before}</pre></div>}
            {f.after && <div><h4>After</h4><pre class="code" tabIndex={0}>{f.after}</pre></div>}
          </div>
        )}
        {f.evidence.length > 0 && (
          <div>
            <h4>Evidence</h4>
            <ul class="evidence">
              {f.evidence.map((e, i) => (
                <li key={i}>
                  <span class="source">{e.source}</span><span>{e.text}</span>
                  {!!e.stack?.length && <details class="stack-lines"><summary class="small muted">stack of {e.stack.length} frames</summary><pre>{e.stack.join('\n')}</pre></details>}
                </li>
              ))}
            </ul>
          </div>
        )}
        {f.verify && <div><h4>Try it</h4><CommandLine line={f.verify} /></div>}
      </div>
    </article>
  )
}
