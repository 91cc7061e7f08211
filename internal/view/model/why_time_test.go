package model

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// Causes that explain less than half of a change, or a change the other way, are no explanation of it.
func TestTimeChangeExplainsHalfAtLeast(t *testing.T) {
	cause := func(share float64) record.TimeChange {
		label := walltime.Label{Call: walltime.Call{State: walltime.Sleep, Library: "time.Sleep", File: "main.go",
			Line: 29, Function: "main.work"}}
		return record.TimeChange{Cohort: walltime.TypicalName, A: 1e6, B: 3e6,
			Causes: []walltime.Cause{{Part: walltime.Part{Label: label, Nanos: share * 2e6}, Share: share}}}
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

// Queueing for a CPU that other requests have follows from the CPU time of requests, where that changed in the same
// way: it comes after what else changed. Else it names where the others spend it.
func TestQueueingFollowsFromTheCPUTime(t *testing.T) {
	at := walltime.Call{State: walltime.Requests, Function: "main.write", File: "peer.go", Line: 36}
	queue := walltime.Label{Call: walltime.Call{State: walltime.Runnable}, Behind: &at}
	run := walltime.Label{Call: walltime.Call{State: walltime.Running, Function: "main.search", File: "main.go",
		Line: 53}}
	cause := func(l walltime.Label, share float64) walltime.Cause {
		return walltime.Cause{Part: walltime.Part{Label: l, Nanos: -share * 1e6}, Share: share}
	}
	of := record.TimeChange{Cohort: walltime.TypicalName, A: 2e6, B: 1e6,
		Causes: []walltime.Cause{cause(queue, 0.8), cause(run, 0.1)}}
	faster := judge.Verdict{Measure: judge.Measure{Key: "p50"}, Word: judge.Faster, Ratio: 0.5}
	for cpuToo, want := range map[bool]string{
		true:  ": -100 us running main.search main.go:53; -800 us queueing for a CPU, since requests take less of it",
		false: ": -800 us queueing for a CPU that other requests hold in main.write peer.go:36; -100 us running main.search main.go:53",
	} {
		if got := timeChange(faster, of, cpuToo); !strings.HasSuffix(got.text, want) || got.queueing {
			t.Errorf("CPU time too: %v: %q, want the end %q", cpuToo, got.text, want)
		}
	}
	of.Causes = of.Causes[:1]
	if got := timeChange(faster, of, true); !got.queueing {
		t.Errorf("%q names a cause besides queueing", got.text)
	}
}
