package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// disagree is how far the change of a latency in the traces may be from that under load, both as parts of the slower
// side.
const disagree = 0.25

// tracesAgree says whether the requests in the traces changed as those under load did, so that the traces explain that.
// A trace costs CPU time: where much of it is written, it shows another program.
func tracesAgree(v judge.Verdict, t record.TimeChange) bool {
	load, traced := ofSlower(latencyRatio(v)), ofSlower(t.B/t.A)
	if (v.Word.Different() || clearOfZero(v)) && load*traced < 0 {
		return false
	}
	return math.Abs(load-traced) <= disagree
}

// latencyRatio is the ratio of a latency; that of a throughput turned round, which a latency follows in a closed loop.
func latencyRatio(v judge.Verdict) float64 {
	if v.Measure.Key == measure.Throughput.Key {
		return 1 / v.Ratio
	}
	return v.Ratio
}

// ofSlower is a ratio as a change in parts of the slower side: -0.5 for half, +0.5 for twice.
func ofSlower(ratio float64) float64 {
	if ratio > 1 {
		return 1 - 1/ratio
	}
	return ratio - 1
}

// Traced says how the latency of requests in the traces stands to that of the same requests under load, and whether it
// may be explained by the traces. The text is empty where that latency was not measured.
//
//	Writing traces makes requests slower: without them p50 latency is 2.29 -> 1.48 ms (-35.4 %).
func Traced(c record.Contest, t record.TimeChange) (text string, explains bool) {
	i := slices.IndexFunc(timeMeasures, func(m struct{ key, cohort string }) bool { return m.cohort == t.Cohort })
	if i < 0 {
		return "", true
	}
	v, ok := verdictOn(c, timeMeasures[i].key)
	if !ok || t.A <= 0 || v.A <= 0 {
		return "", true
	}
	load := fmt.Sprintf("%s is %s (%s)", v.Measure.Name, ValuesOf(v), units.Percent(v.Ratio-1))
	switch {
	case !tracesAgree(v, t):
		return fmt.Sprintf("left out: without traces %s, and with traces the %s request changes by %s. The traces show "+
			"another change",
			load, t.Cohort, units.Percent(t.B/t.A-1)), false
	case t.A > tracedSlower*v.A || t.B > tracedSlower*v.B:
		return "Writing traces makes requests slower: without them " + load + ".", true
	}
	return "Without traces " + load + ".", true
}

// tracedSlower is how many times a latency a traced one is that is called slower.
const tracedSlower = 1.1

// TracedRun says how the latency of a cohort of requests in the traces of a run stands to that percentile under load,
// to follow what it consists of; empty where they agree, or where the percentile is not known.
func TracedRun(c *walltime.Cohort, load *record.Latency) string {
	if load == nil || load.Count == 0 {
		return ""
	}
	slow, at := c.Name != walltime.TypicalName, 0
	if slow {
		at = 2
	}
	q := RunQuantiles(*load)[at]
	if !q.Resolved || slow && c.From != q.Percent {
		return ""
	}
	text, _ := facts.Traced(slow, c.LatencyNanos, float64(q.Value))
	if text != "" {
		text = "; " + text
	}
	return text
}
