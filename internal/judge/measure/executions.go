package measure

import (
	"github.com/gohone/hone/judge"
)

// The measures of an execution. Their keys are those of the measures under load, where
// there is one of the kind, so that a history reads the same.
var (
	// ExecutionCPU decides: user and system time of the program and all that it waited for. The
	// floor is the step of getrusage.
	ExecutionCPU = judge.Measure{Key: CPU.Key, Name: "CPU per execution", Unit: "ns", Better: judge.Lower,
		Level: judge.PerStart, Floor: 1e3}
	ExecutionReal = judge.Measure{Key: "real", Name: "real time", Unit: "ns", Better: judge.Lower,
		Level: judge.PerStart, Floor: 1e3}
	// ExecutionResident is the largest resident set of any one process of the program.
	ExecutionResident = judge.Measure{Key: PeakRSS.Key, Name: "max resident memory", Unit: "B", Better: judge.Lower,
		Level: judge.PerStart, Floor: 4096}
)

// OfExecutions are all that are compared, the gated one first.
var OfExecutions = []judge.Measure{ExecutionCPU, ExecutionReal, ExecutionResident}
