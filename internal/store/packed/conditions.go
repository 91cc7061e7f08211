package packed

import (
	"math"
	"time"

	"github.com/gohone/hone/internal/sys/machine"
)

// Conditions are what the machine did while a slice ran. Shares are 0 to 1; what the
// system does not tell is nil. machine.Disturbance says how each is read.
type Conditions struct {
	// Steal is the share of the machine's CPU time that the hypervisor took.
	Steal *float64 `json:"steal,omitempty"`
	// Busy is the CPU time of everything on the machine, Others the part of it that was
	// not the measurement's.
	Busy   *time.Duration `json:"busy_cpu_ns,omitempty"`
	Others *time.Duration `json:"others_cpu_ns,omitempty"`
	// Load1 is the load average over one minute, at the end.
	Load1 *float64 `json:"load1,omitempty"`
	// Throttled is how long control groups were held back.
	Throttled *time.Duration `json:"throttled_ns,omitempty"`
	// The pressures are shares of the time in which some task waited for CPU, memory
	// or input and output; MemoryStall is that in which all did.
	CPUPressure    *float64 `json:"cpu_pressure,omitempty"`
	MemoryPressure *float64 `json:"memory_pressure,omitempty"`
	MemoryStall    *float64 `json:"memory_stall,omitempty"`
	IOPressure     *float64 `json:"io_pressure,omitempty"`
}

// ConditionsOf keeps what a disturbance says of a slice.
func ConditionsOf(d machine.Disturbance) Conditions {
	return Conditions{
		Steal: d.Steal, Busy: d.Busy, Others: d.Others, Load1: d.Load1, Throttled: d.Throttled,
		CPUPressure: d.CPUPressure, MemoryPressure: d.MemoryPressure, MemoryStall: d.MemoryStall,
		IOPressure: d.IOPressure,
	}
}

// stored are the conditions as JSON can hold them.
func (c Conditions) stored() Conditions {
	for _, share := range []**float64{&c.Steal, &c.Load1, &c.CPUPressure, &c.MemoryPressure, &c.MemoryStall,
		&c.IOPressure} {
		*share = finite(*share)
	}
	return c
}

// finite is v, or nil if it is not a number that JSON has.
func finite(v *float64) *float64 {
	if v == nil || math.IsNaN(*v) || math.IsInf(*v, 0) {
		return nil
	}
	return v
}

// Disturbance is what the machine did to a slice of that length: what ConditionsOf kept.
func (c Conditions) Disturbance(elapsed time.Duration) machine.Disturbance {
	return machine.Disturbance{
		Elapsed: elapsed, Steal: c.Steal, Busy: c.Busy, Others: c.Others, Load1: c.Load1, Throttled: c.Throttled,
		CPUPressure: c.CPUPressure, MemoryPressure: c.MemoryPressure, MemoryStall: c.MemoryStall,
		IOPressure: c.IOPressure,
	}
}
