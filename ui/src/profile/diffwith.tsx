// Another run of the ledger, whose profile this one is compared with. A report has no ledger behind it, and shows none.

import { useEffect, useState } from 'preact/hooks'
import { get, inReport } from '../api'
import { moment } from '../format/units'
import type { History, Profile, TrendPoint } from '../model'
import { go, href } from '../router'

interface Choice { point: TrendPoint, name: string }

/** mostChoices is how many runs are offered: the newest. */
const mostChoices = 100

/** DiffWith offers the runs of the ledger, the newest first. The older one of the two is A of the difference. */
export function DiffWith({ of }: { of: Profile }) {
  const [all, setAll] = useState<Choice[]>([])
  useEffect(() => {
    if (inReport() || !of.run) return
    get<History>('history?number=' + mostChoices).then(h => setAll(h.series
      .flatMap(s => s.points.map((point): Choice => ({ point, name: s.name })))
      .sort((a, b) => b.point.started.localeCompare(a.point.started))), () => {})
  }, [of.run])
  const here = all.findIndex(c => c.point.run === of.run)
  if (here < 0 || all.length < 2) return null
  const open = (run: string) => {
    const later = all.findIndex(c => c.point.run === run) < here
    go(href(later ? ['diff', of.run, run, of.kind] : ['diff', run, of.run, of.kind]))
  }
  return (
    <label class="diff-with">Difference to
      <select class="field" value="" data-test="diff-with" onChange={e => e.currentTarget.value && open(e.currentTarget.value)}>
        <option value="">choose a run</option>
        {all.filter(c => c.point.run !== of.run).map(c => <option key={c.point.run} value={c.point.run}>{[c.point.run, moment(c.point.started), c.name, c.point.text].filter(Boolean).join(' · ')}</option>)}
      </select>
    </label>
  )
}
