package judge

import (
	"fmt"

	"github.com/gohone/hone/stats"
)

// A machine that stands still a few times moves a high percentile more than the code does. So the requests beyond a
// threshold that both sides share are counted, too: see stats.Beyond. Where the interval of a percentile does not say
// whether it changed, that count may. Each of the two has half of the level of a look, so that there are no more alarms
// than one of them would make.
const (
	tailPart = 0.5
	// leastTail is the least quantile that has a tail.
	leastTail = 0.9
	// leastMore is how many times as many slow requests one side has at least: a smaller change of them is of no interest.
	leastMore = 1.2
)

// Tail is how many requests of each side are among the slowest of both.
type Tail struct {
	// Threshold is what they take longer than, in Measure.Unit: a quantile of both sides together. A and B are the shares
	// of the requests beyond it, and P is of the test that both are alike.
	Threshold float64 `json:"threshold"`
	A         float64 `json:"a"`
	B         float64 `json:"b"`
	P         float64 `json:"p"`
	// Shown says that they are not.
	Shown bool `json:"shown,omitempty"`
}

// tailQuantile is where the tail that a percentile is of begins: of p99 it is the slowest twentieth.
func tailQuantile(q float64) float64 { return 1 - max(1-q, min(0.05, 5*(1-q))) }

// ownPart is the part of a look's level that a percentile itself has.
func (m Measure) ownPart() float64 {
	if m.Quantile < leastTail {
		return 1
	}
	return 1 - tailPart
}

// withTail adds to the verdict on a percentile what its tail shows by the rules of this look.
func (v Verdict) withTail(a, b [][]stats.Distribution, o Options) (Verdict, error) {
	if v.Measure.Quantile < leastTail {
		return v, nil
	}
	r, err := stats.Beyond(a, b, tailQuantile(v.Measure.Quantile))
	if err != nil {
		return v, err
	}
	n := len(r.Values)
	o.Alpha *= tailPart
	e := Evidence{Level: o.Alpha}
	if o.byStudent(n) {
		e = o.student(r.Values, make([]float64, n))
	} else {
		s, err := stats.SequentialSignFlip(r.Values, nil, []stats.Look{{N: n, Spent: o.Alpha}})
		if err != nil {
			return v, err
		}
		e.Value, e.P, e.Shown = s.Value, s.P, s.Rejected
	}
	shown := e.Shown && o.together(e.Value, stats.StdErr(r.Values), n)
	v.Tail = &Tail{Threshold: r.Threshold, A: r.A, B: r.B, P: e.P, Shown: shown}
	if shown && v.Word == Undecided && e.Value*(r.B-r.A) > 0 &&
		max(r.A, r.B) >= leastMore*min(r.A, r.B) {
		v.Word, v.Need, v.P, v.Level, v.Method = Slower, nil, e.P, e.Level, SlowShare
		if v.Measure.better(e.Value) {
			v.Word = Faster
		}
		v.Reason = fmt.Sprintf("%.2g %% of A's requests and %.2g %% of B's are among the slowest %.2g %% of both, which "+
			"chance would do with p = %.2g, under the %.2g allowed by now", 100*r.A, 100*r.B,
			100*(1-tailQuantile(v.Measure.Quantile)), e.P, e.Level)
	}
	return v, nil
}
