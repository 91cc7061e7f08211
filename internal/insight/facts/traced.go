package facts

import (
	"math"

	"github.com/gohone/hone/internal/text/units"
)

// A trace costs the program time, so requests in it may be another case than those of the run.

const (
	// saidTraced is how many times a latency of the run one in the trace is, or the other way round, from which on it is
	// said: of typical requests. Slow ones are compared by their mean with p99, below which none of them is.
	saidTraced, saidTracedSlow = 1.1, 2
	// otherTraced is by how much of the slower one they differ where they may consist of other parts.
	otherTraced = 0.25
)

// Traced says how the latency of requests in the trace, in nanoseconds, stands to that of the run: empty where they
// agree, or where that of the run is not known. other says that what requests spend time on in the trace may not be
// what those of the run do.
func Traced(slow bool, traced, run float64) (text string, other bool) {
	if traced <= 0 || run <= 0 {
		return "", false
	}
	name, said := "p50", saidTraced
	if slow {
		name, said = "p99", saidTracedSlow
	}
	ratio := math.Max(traced/run, run/traced)
	if ratio <= said {
		return "", false
	}
	text = "this is with traces: without them " + name + " is " + units.Nanos(run)
	if other = 1-1/ratio > otherTraced; other {
		text += ", and may consist of other parts"
	}
	return text, other
}

// Traced is Traced of the requests of a wait; those of one endpoint of several have no latency of the run to hold them
// against.
func (v *View) Traced(l Latency) (text string, other bool) {
	run := float64(v.Numbers.LatencyP50)
	if l.Slow {
		run = float64(v.Numbers.LatencyP99)
	}
	if l.Requests() != "" {
		run = 0
	}
	return Traced(l.Slow, l.Whole, run)
}
