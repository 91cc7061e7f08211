package lab

import (
	"github.com/gohone/hone/internal/insight/walltime"
)

// TimeChange says where the latency of two variants differs, from their execution traces.
type TimeChange struct {
	// Cohort is walltime.TypicalName or walltime.SlowName, A and B its mean latencies in the traces,
	// in nanoseconds. A trace costs the program time, and both have one.
	Cohort string  `json:"cohort"`
	A      float64 `json:"a_ns"`
	B      float64 `json:"b_ns"`
	// Causes are what B spends more time on than A, or less; their shares are of B - A.
	Causes []walltime.Cause `json:"causes,omitempty"`
}

// explainTime divides the differences of typical and of slow requests by what they wait for; nil
// where one of the variants has no trace in which the work on its requests was found.
func explainTime(a, b *walltime.Digest) []TimeChange {
	if a == nil || b == nil || a.Joined == 0 || b.Joined == 0 {
		return nil
	}
	var all []TimeChange
	for _, name := range []string{walltime.TypicalName, walltime.SlowName} {
		of, with := a.Cohort(name), b.Cohort(name)
		if of == nil || with == nil {
			continue
		}
		causes := walltime.Changes(of, with)
		all = append(all, TimeChange{
			Cohort: name, A: of.LatencyNanos, B: with.LatencyNanos, Causes: causes[:min(mostTimeCauses, len(causes))],
		})
	}
	return all
}

// mostTimeCauses bounds the causes of a change that a comparison keeps.
const mostTimeCauses = 6
