// The keys, on "?".

import { useEffect, useRef } from 'preact/hooks'
import { inReport } from './api'

const everywhere: [string[], string][] = [
  [['?'], 'show or hide these keys'],
  [['Tab'], 'to the next link, button or chart'],
  [['←', '→'], 'in a chart: read the next value'],
  [['Esc'], 'close'],
]
const server: [string[], string][] = [
  [['g', 'h'], 'history'],
  [['g', 's'], 'series of hone track'],
  [['g', 'l'], 'live'],
  [['Space'], 'in the table of runs: pick a run to compare'],
  [['Enter'], 'in the table of runs: open it'],
]
const profile: [string[], string][] = [
  [['/'], 'in a profile, and among series: search'],
]

/** HelpDialog lists the keys. It holds the focus until it is closed. */
export function HelpDialog({ close }: { close: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null
    button.current?.focus()
    return () => before?.focus()
  }, [])
  const keys = [...everywhere, ...profile, ...(inReport() ? [[['g', 'r'], 'the first page of this report'] as [string[], string]] : server)]
  const hold = (e: KeyboardEvent) => { if (e.key === 'Tab') { e.preventDefault(); button.current?.focus() } }
  return (
    <div class="veil" onClick={e => { if (e.target === e.currentTarget) close() }}>
      <div class="dialog" role="dialog" aria-modal="true" aria-labelledby="keys-title" data-test="keys" onKeyDown={hold}>
        <h2 id="keys-title">Keys</h2>
        <table><tbody>{keys.map(([k, what]) => <tr key={what}><td>{k.map((one, i) => <span key={i}>{i > 0 && ' '}<kbd>{one}</kbd></span>)}</td><td>{what}</td></tr>)}</tbody></table>
        <button ref={button} type="button" class="button close" onClick={close}>Close</button>
      </div>
    </div>
  )
}
