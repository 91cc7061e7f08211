package load

import "time"

// AnsweredHz is right answers per second. The time counts until the last answer, so that
// an answer counts with all the time that it took: answers that came after the sending had
// ended would otherwise make a slow target faster than it is.
//
// In an open loop a drain only counts as far as it is longer than the least response time:
// the answer to a request that was due at the very end comes so much later, however fast
// the target serves others meanwhile.
func (t *Tally) AnsweredHz() float64 {
	over := t.Duration - t.Silent
	if h := t.Response; h != nil && h.TotalCount() > 0 && t.Draining < t.Duration {
		over -= min(time.Duration(h.Min()), t.Draining-t.Silent)
	}
	if over <= 0 {
		return 0
	}
	return float64(t.Answered) / over.Seconds()
}
