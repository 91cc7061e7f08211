package compare

import "github.com/gohone/hone/judge"

// LargeGain is the ratio of B to A below which a gain may be one that a cache for a repeated request has.
const LargeGain = 0.7

// Gains says whether variant i is faster than A, as Rule says it, given its blocks with A. Such a gain is checked once
// more: programs can notice that they are measured, and answer what is repeated from memory.
func (r *Referee) Gains(i int, blocks []judge.Block) bool {
	v, err := judge.DecideInStages(r.question.Gated, blocks, r.gateOptions(), r.alarmOn(i, r.question.Gated))
	return err == nil && r.onGated(i, v).Word == judge.Faster
}

// onGated is the verdict on the gated measure of variant i: it stands as it was reached, unless it was measured again.
func (r *Referee) onGated(i int, v judge.Verdict) judge.Verdict {
	if c := r.contests[i]; c.Known && !r.question.Together && v.First == nil {
		return c.Verdict
	}
	return v
}
