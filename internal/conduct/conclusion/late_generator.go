package conclusion

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

const (
	// leastHeld is the share of the slices in which the generator was late, or the machine busy, from which on that may be
	// the reason why a latency is not known.
	leastHeld = 0.1
	// uselessWidth is half of an interval, as a fraction, that tells a user nothing of a latency.
	uselessWidth = 0.25
)

// TellLateness says of latencies and the rate that are not known that the load generator was late, or the machine busy,
// where it was: their intervals, which show the machine, go.
func TellLateness(c *record.Contest, gates []gate.Result, a, b *timed.Load) {
	why := held(a, b)
	if why == "" {
		return
	}
	figuresA, figuresB := a.Figures(), b.Figures()
	for _, m := range measure.OfOpenLoop {
		i := slices.IndexFunc(c.Verdicts, func(v judge.Verdict) bool { return v.Measure == m })
		if i < 0 {
			of, other := figuresA[m.Key], figuresB[m.Key]
			if of <= 0 || other <= 0 {
				continue
			}
			i, c.Verdicts = len(c.Verdicts), append(c.Verdicts, judge.Verdict{Measure: m, Word: judge.Undecided, A: of,
				B: other, Ratio: other / of})
		}
		v := &c.Verdicts[i]
		if v.Word != judge.Undecided || v.Bounded() && v.Resolution < uselessWidth {
			continue
		}
		v.Low, v.High, v.EquivalenceLow, v.EquivalenceHigh = 0, math.Inf(1), 0, math.Inf(1)
		v.Resolution, v.Detectable, v.Need = math.Inf(1), math.Inf(1), nil
		c.Held, v.Reason = why, m.Name+" cannot be told here: "+why
		for j := range gates {
			if gates[j].Gate.Measure == m && gates[j].Outcome == gate.Open {
				gates[j].Reason = v.Reason
			}
		}
	}
}

// held says what kept requests waiting besides the programs; empty where nothing did.
func held(a, b *timed.Load) string {
	var late []time.Duration
	all, busy := 0, 0
	for _, t := range []*timed.Load{a, b} {
		for _, s := range t.Samples {
			if all++; s.Late {
				late = append(late, s.Lag)
			}
			if s.Conditions.Noticeable() {
				busy++
			}
		}
	}
	of := func(n int) string { return units.Share(float64(n)/float64(all)) + " of the slices" }
	switch {
	case float64(len(late)) > leastHeld*float64(all):
		slices.Sort(late)
		return fmt.Sprintf("the load generator was late (%s in %s)", units.Nanos(float64(late[len(late)/2])), of(len(late)))
	case float64(busy) > leastHeld*float64(all):
		return "the machine was busy (in " + of(busy) + ")"
	}
	return ""
}
