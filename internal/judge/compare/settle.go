package compare

// besideDelta is how much a measure of Question.Beside may change, as a fraction, and count as the same for the end of a
// comparison. Percentiles scatter far more than CPU time does: 1 % of them is out of reach of most budgets. The words of
// verdicts keep to Options.Delta.
const besideDelta = 0.05

// gatesSettled says whether more blocks could change no gate's outcome. Gates on functions have a way of their own:
// functionsSettled.
func (r *Referee) gatesSettled(blocks [][]Block, last bool) bool {
	for _, g := range r.question.Gates {
		if g.Function != "" {
			continue
		}
		judged := func(v Verdict) bool {
			outcome, _ := g.Judge(v)
			return outcome != Open
		}
		if !r.settled(g.Measure, blocks, last, judged) {
			return false
		}
	}
	return true
}

// besideSettled says whether the measures beside the gated one are shown to differ, or to be the same.
func (r *Referee) besideSettled(blocks [][]Block, last bool) bool {
	for _, m := range r.question.Beside {
		if !r.settled(m, blocks, last, endsMeasure) {
			return false
		}
	}
	return true
}

// endsMeasure says whether a verdict settles a measure of Question.Beside: it shows a difference, or it shows that the change is
// below besideDelta.
func endsMeasure(v Verdict) bool {
	tolerance := 1 + max(v.Delta, besideDelta)
	return v.Word.Different() || v.EquivalenceLow >= 1/tolerance && v.EquivalenceHigh <= tolerance
}

// OfLatency is an undecided verdict with the tolerance of Question.Beside: the same, if the change is shown to be below that.
func (v Verdict) OfLatency() Verdict {
	if v.Word == Undecided && endsMeasure(v) {
		v.Word, v.Delta, v.Need = Same, max(v.Delta, besideDelta), nil
		v.Reason = sameReason(v)
	}
	return v
}

// settled says whether the verdict on a measure of each variant is good enough. A measure that is not observed, and will not
// be, keeps nothing waiting.
func (r *Referee) settled(m Measure, blocks [][]Block, last bool, enough func(Verdict) bool) bool {
	o := r.gateOptions()
	o.Interim = !last
	for _, b := range blocks {
		v, err := Decide(m, b, o)
		switch {
		case err != nil && m.Level == Pooled:
			return false // too few requests so far, or no look at percentiles
		case err == nil && !enough(v):
			return false
		}
	}
	return true
}
