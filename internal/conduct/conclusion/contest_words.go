package conclusion

import (
	"slices"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// EqualBuilds takes back what a contest of a build with itself says of a difference. The verdicts
// stay as they were measured: they show what the machine does.
func EqualBuilds(c *record.Contest, gates []gate.Result) {
	c.Equal = true
	if c.Word.Different() {
		c.Word = judge.Same
	}
	for i := range gates {
		if gates[i].Outcome == gate.Failed {
			gates[i].Outcome, gates[i].Reason = gate.Open,
				"A and B are one build, started alike: any difference is the machine's; "+gates[i].Reason
		}
	}
}

// sameSourceGate is why a gate passes then.
const sameSourceGate = "same source: no file differs that the program is built from, or may read"

// unreachedGate is why a gate passes where the load executes nothing that changed.
const unreachedGate = "nothing that changed is executed by this load"

// TakeAsSame decides a contest of variants of the same source; or, if unreached, of those that differ in nothing that
// the load executes.
func TakeAsSame(c *record.Contest, gates []gate.Result, unreached bool) {
	reason := sameSourceGate
	if unreached {
		reason = unreachedGate
	}
	c.SameSource, c.Unreached, c.Word = !unreached, unreached, judge.Same
	for i := range c.Verdicts {
		c.Verdicts[i].Word, c.Verdicts[i].Need = judge.Same, nil
	}
	for i := range gates {
		gates[i].Outcome, gates[i].Reason = gate.Passed, reason
	}
}

// Lead makes latency the word of a contest at a rate: there the question is how long requests wait.
func Lead(c *record.Contest) {
	for _, key := range []string{"p99", "p50"} {
		i := slices.IndexFunc(c.Verdicts, func(v judge.Verdict) bool { return v.Measure.Key == key })
		if i >= 0 {
			c.Leads, c.Word = key, c.Verdicts[i].Word
			return
		}
	}
}

// ChangedAlike says whether a measure changed in the same way as a verdict says of another.
func ChangedAlike(verdicts []judge.Verdict, key string, as judge.Verdict) bool {
	return slices.ContainsFunc(verdicts, func(v judge.Verdict) bool {
		return v.Measure.Key == key && v.Word.Different() && (v.Ratio < 1) == (as.Ratio < 1)
	})
}
