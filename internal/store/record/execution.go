package record

import (
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/load"
)

// Execution is one start of the program, to its end.
type Execution struct {
	usage.Spent
	// Start counts from the beginning of the run, Round and Turn from 0: where in which
	// round of a comparison it was.
	Start time.Duration `json:"start_ns"`
	Round int           `json:"round"`
	Turn  int           `json:"turn"`
	// Failure says how it failed; empty if it did not.
	Failure string `json:"failure,omitempty"`
	// Conditions are what the machine did meanwhile.
	Conditions machine.Disturbance `json:"conditions"`
}

// Slice is an execution as a stretch of load of one operation, for readers of slices.
func (e Execution) Slice(i int) packed.Slice {
	s := packed.Slice{
		Slice: load.Slice{Offset: e.Start, Duration: max(e.Real, time.Nanosecond),
			Counts: load.Counts{Scheduled: 1, Sent: 1, Answered: 1}},
		Place: packed.Place{Index: i, Block: e.Round, First: e.Turn == 0}, Used: packed.Used{CPU: e.CPU()},
		Conditions: packed.ConditionsOf(e.Conditions),
	}
	if e.Failure != "" {
		s.Answered, s.Failed = 0, 1
	}
	return s
}

// Sample is what an execution shows, by measure.
func (e Execution) Sample() judge.Sample {
	s := judge.Sample{measure.ExecutionCPU.Key: float64(e.CPU()), measure.ExecutionReal.Key: float64(e.Real)}
	if e.MaxResident > 0 && !e.AtMost {
		s[measure.ExecutionResident.Key] = float64(e.MaxResident)
	}
	return s
}

// ProfiledExecution is the execution under the profiler.
type ProfiledExecution struct {
	usage.Spent
	// CPUShare is the share of its CPU time that the CPU profile saw, 0 to 1.
	CPUShare float64 `json:"cpu_share"`
	// Passes is how many CPU profiles, one after the other, were put together.
	Passes int `json:"passes"`
}
