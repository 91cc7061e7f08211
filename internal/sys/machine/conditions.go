package machine

import "time"

// Conditions are one reading of a Gauge: clocks and counters that only mean something
// beside an earlier reading. What the system does not tell is unknown.
type Conditions struct {
	at        time.Time
	cpu       CPUTimes
	load1     counter[float64]
	throttled counter[time.Duration]
	pressure  pressures
}

// pressures are the stall times of the kernel's pressure stall information, in
// microseconds since it was started (Documentation/accounting/psi.rst).
type pressures struct{ cpu, memory, memoryFull, io counter[uint64] }

// counter is a number that may be unknown.
type counter[T float64 | uint64 | time.Duration] struct {
	n     T
	known bool
}

// since is what a counter grew by; unknown if one of the two is, or if it ran backwards.
func (c counter[T]) since(earlier counter[T]) counter[T] {
	if !c.known || !earlier.known || c.n < earlier.n {
		return counter[T]{}
	}
	return counter[T]{n: c.n - earlier.n, known: true}
}

func (c counter[T]) pointer() *T {
	if !c.known {
		return nil
	}
	return &c.n
}

// Since is what happened between two readings of one Gauge.
func (c Conditions) Since(earlier Conditions) Disturbance {
	d := Disturbance{Elapsed: max(0, c.at.Sub(earlier.at)), Load1: c.load1.pointer()}
	if steal, known := c.cpu.stealSince(earlier.cpu); known {
		d.Steal = &steal
	}
	if busy, known := c.cpu.busySince(earlier.cpu); known {
		d.Busy = &busy
	}
	d.Throttled = c.throttled.since(earlier.throttled).pointer()
	d.CPUPressure = stalled(c.pressure.cpu, earlier.pressure.cpu, d.Elapsed)
	d.MemoryPressure = stalled(c.pressure.memory, earlier.pressure.memory, d.Elapsed)
	d.MemoryStall = stalled(c.pressure.memoryFull, earlier.pressure.memoryFull, d.Elapsed)
	d.IOPressure = stalled(c.pressure.io, earlier.pressure.io, d.Elapsed)
	return d
}

// stalled is the share of the elapsed time that a stall clock ran.
func stalled(now, earlier counter[uint64], elapsed time.Duration) *float64 {
	grown := now.since(earlier)
	if !grown.known || elapsed <= 0 {
		return nil
	}
	share := min(1, float64(grown.n)*float64(time.Microsecond)/float64(elapsed))
	return &share
}
