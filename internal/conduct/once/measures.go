package once

import (
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// The measures of an execution. Their keys are those of the measures under load, where
// there is one of the kind, so that a history reads the same.
var (
	// CPU decides: user and system time of the program and all that it waited for. The
	// floor is the step of getrusage.
	CPU  = judge.Measure{Key: measure.CPU.Key, Name: "CPU per execution", Unit: "ns", Better: judge.Lower, Level: judge.PerStart, Floor: 1e3}
	Real = judge.Measure{Key: "real", Name: "real time", Unit: "ns", Better: judge.Lower, Level: judge.PerStart, Floor: 1e3}
	// MaxResident is the largest resident set of any one process of the program.
	MaxResident = judge.Measure{Key: measure.PeakRSS.Key, Name: "max resident memory", Unit: "B", Better: judge.Lower, Level: judge.PerStart, Floor: 4096}
)

// Measures are all that are compared, the gated one first.
var Measures = []judge.Measure{CPU, Real, MaxResident}

// Sample is what an execution shows, by measure.
func (e Execution) Sample() judge.Sample {
	s := judge.Sample{CPU.Key: float64(e.CPU()), Real.Key: float64(e.Real)}
	if e.MaxResident > 0 && !e.AtMost {
		s[MaxResident.Key] = float64(e.MaxResident)
	}
	return s
}
