package compare

import (
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/judge"
)

// besideDelta is how much a measure of Question.Beside may change, as a fraction, and count as the same for the end of
// a comparison. Percentiles scatter far more than CPU time does: 1 % of them is out of reach of most budgets. The words
// of verdicts keep to judge.Options.Delta.
const besideDelta = 0.05

// gatesSettled says whether more blocks could change no gate's outcome. Gates on functions have a way of their own:
// functionsSettled.
func (r *Referee) gatesSettled(blocks [][]judge.Block, last bool) bool {
	for _, g := range r.question.Gates {
		if g.Function != "" {
			continue
		}
		judged := func(v judge.Verdict) bool {
			outcome, _ := g.Judge(v)
			return outcome != gate.Open
		}
		if !r.settled(g.Measure, blocks, last, judged) {
			return false
		}
	}
	return true
}

// besideSettled says whether the measures beside the gated one are shown to differ, or to be the same.
func (r *Referee) besideSettled(blocks [][]judge.Block, last bool) bool {
	for _, m := range r.question.Beside {
		if !r.settled(m, blocks, last, endsMeasure) {
			return false
		}
	}
	return true
}

// endsMeasure says whether a verdict settles a measure of Question.Beside: it shows a difference, or it shows that the
// change is below besideDelta.
func endsMeasure(v judge.Verdict) bool { return v.Settled(max(v.Delta, besideDelta)) }

// OfLatency is an undecided verdict with the tolerance of Question.Beside: the same, if the change is shown to be below
// that.
func OfLatency(v judge.Verdict) judge.Verdict { return v.Within(max(v.Delta, besideDelta)) }

// settled says whether the verdict on a measure of each variant is good enough. A measure that is not observed, and
// will not be, keeps nothing waiting.
func (r *Referee) settled(m judge.Measure, blocks [][]judge.Block, last bool, enough func(judge.Verdict) bool) bool {
	o := r.gateOptions()
	o.Interim = !last
	for _, b := range blocks {
		v, err := judge.Decide(m, b, o)
		switch {
		case err != nil && m.Level == judge.Pooled:
			return false // too few requests so far, or no look at percentiles
		case err == nil && !enough(v):
			return false
		}
	}
	return true
}
