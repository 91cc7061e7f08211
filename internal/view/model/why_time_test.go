package model

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// Causes that explain less than half of a change, or a change the other way, are no explanation of it.
func TestTimeChangeExplainsHalfAtLeast(t *testing.T) {
	cause := func(share float64) lab.TimeChange {
		label := walltime.Label{Call: walltime.Call{State: walltime.Sleep, Library: "time.Sleep", File: "main.go", Line: 29, Function: "main.work"}}
		return lab.TimeChange{Cohort: walltime.TypicalName, A: 1e6, B: 3e6, Causes: []walltime.Cause{{Part: walltime.Part{Label: label, Nanos: share * 2e6}, Share: share}}}
	}
	latency, throughput := judge.Measure{Key: "p50"}, judge.Measure{Key: measure.Throughput.Key}
	for _, c := range []struct {
		of    judge.Measure
		ratio float64
		share float64
		want  string
	}{
		{latency, 3, 0.9, "1.00 -> 3.00 ms in the traces: +1.80 ms sleep"},
		{throughput, 0.4, 0.9, "1.00 -> 3.00 ms in the traces: +1.80 ms sleep"},
		{latency, 3, 0.4, ""},
		{latency, 0.5, 0.9, ""},
	} {
		got := timeChange(judge.Verdict{Measure: c.of, Ratio: c.ratio}, cause(c.share), false).text
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s %v, of which the cause is %v: %q, want %q", c.of.Key, c.ratio, c.share, got, c.want)
		}
	}
}
