package conclusion

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/judge"
)

// A latency that is not known says that the generator was late, and has no interval that shows the machine. A latency
// that is known keeps its interval.
func TestALateGeneratorIsWhyALatencyIsNotKnown(t *testing.T) {
	p50, p99 := measure.Percentile("p50", 0.5), measure.Percentile("p99", 0.99)
	verdict := func(m judge.Measure, word judge.Word, low, high float64) judge.Verdict {
		return judge.Verdict{Measure: m, Word: word, A: 1e6, B: 1.1e6, Ratio: 1.1, Low: low, High: high,
			Resolution: (high - low) / 2, Reason: "as it was"}
	}
	loads := func(late, busy int) (a, b *timed.Load) {
		both := []*timed.Load{{Compared: true}, {Compared: true}}
		for _, l := range both {
			for i := range 20 {
				s := timed.Sample{Late: i < late, Lag: 7 * time.Millisecond}
				if steal := 0.2; i < busy {
					s.Conditions = machine.Disturbance{Steal: &steal}
				}
				l.Samples = append(l.Samples, s)
			}
		}
		return both[0], both[1]
	}
	for _, c := range []struct {
		name       string
		late, busy int
		v          judge.Verdict
		want       string // "" for nothing
	}{
		{"late in eight of twenty", 8, 20, verdict(p99, judge.Undecided, 0.46, 2.88),
			"p99 latency cannot be told here: the load generator was late (7.00 ms in 40 % of the slices)"},
		{"busy", 0, 15, verdict(p99, judge.Undecided, 0.46, 2.88),
			"p99 latency cannot be told here: the machine was busy (in 75 % of the slices)"},
		{"no interval", 8, 0, verdict(p50, judge.Undecided, 0, math.Inf(1)), "p50 latency cannot be told here"},
		{"on time", 1, 1, verdict(p99, judge.Undecided, 0.46, 2.88), ""},
		{"a difference", 8, 20, verdict(p99, judge.Slower, 2, 9), ""},
		{"a narrow interval", 8, 20, verdict(p99, judge.Undecided, 0.95, 1.2), ""},
	} {
		contest := &record.Contest{Verdicts: []judge.Verdict{c.v}}
		a, b := loads(c.late, c.busy)
		gates := []gate.Result{{Gate: gate.Gate{Measure: c.v.Measure}, Outcome: gate.Open, Reason: "as it was"}}
		TellLateness(contest, gates, a, b)
		got := contest.Verdicts[0]
		if gates[0].Reason != got.Reason {
			t.Errorf("%s: the gate says %q, want %q", c.name, gates[0].Reason, got.Reason)
		}
		isAsBefore := got.Reason == c.v.Reason && got.Low == c.v.Low && got.High == c.v.High
		isTold := strings.HasPrefix(got.Reason, c.want) && !got.Bounded()
		if c.want == "" && !isAsBefore || c.want != "" && !isTold {
			t.Errorf("%s: %q, bounded %v, want %q", c.name, got.Reason, got.Bounded(), c.want)
		}
	}
}
