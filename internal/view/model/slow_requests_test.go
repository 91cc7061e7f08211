package model

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// A verdict that rests on the slow requests is told by them, and not by the percentile, which may show the opposite.
func TestSlowRequestsAreTold(t *testing.T) {
	v := judge.Verdict{Measure: measure.Percentile("p99", 0.99), Word: judge.Slower, Method: judge.SlowShare,
		A: 9e6, B: 7e6, Ratio: 7. / 9, Low: 0.5, High: 2.1, Conf: 0.95, Starts: 9, Pairs: 90, P: 0.0004, Alpha: 0.05,
		Tail:  &judge.Tail{Threshold: 3.1e6, A: 0.01, B: 0.058, P: 0.0004, Shown: true},
		First: &judge.FirstStage{Word: judge.Slower, Again: true}}
	row := MeasureOf(v)
	if row.Name != "requests over 3.10 ms" || row.A.Text != "1.00 %" || row.B.Text != "5.80 %" ||
		row.Cells.Word != "more" || row.Cells.Interval != "p = 0.0004" || row.Bounded {
		t.Errorf("%+v", row)
	}
	want := "requests over 3.10 ms 1.00 -> 5.80 % (p = 0.0004, 9 starts, 90 pairs, confirmed)"
	if got := Measured(v); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	cpu := judge.Verdict{Measure: measure.CPU, Word: judge.Same, Ratio: 1}
	c := record.Contest{Verdicts: []judge.Verdict{cpu, v}}
	if got := alsoSeen(c); !strings.Contains(got, "requests over 3.10 ms 1.00 -> 5.80 %") {
		t.Errorf("%q", got)
	}
	c = record.Contest{B: 1, Verdicts: []judge.Verdict{v}, Leads: "p99"}
	want = "B is slower than A: requests over 3.10 ms 1.00 -> 5.80 % (p = 0.0004, confirmed)"
	if got := shortSentence(c); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	v.Word, v.Method, v.First.Tail = judge.Undecided, judge.Bootstrap, v.Tail
	want = "; the first stage showed requests over 3.10 ms 1.00 -> 5.80 %, which the second did not confirm"
	if got := takenBack(v); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
