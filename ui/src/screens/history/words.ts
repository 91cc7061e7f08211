// Short words of the history's tables.

import { moment } from '../../format/units'
import type { TrendPoint } from '../../model'

/** commit is the start of a run's commit, with a plus sign for changes on top; its day where there is none. */
export function commit(p: TrendPoint | undefined): string {
  if (!p) return ''
  if (!p.commit) return moment(p.started).slice(0, 10)
  return p.commit.slice(0, 7) + (p.commit.endsWith('+') ? '+' : '')
}
