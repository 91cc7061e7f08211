package cgroup

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Limits are what a group may use; a value of 0 limits nothing.
type Limits struct {
	// CPUs is the CPU time for each time that passes: 0.5 is 50 ms in each Period, on as many CPUs as there are.
	CPUs float64 `json:"cpus,omitempty"`
	// Memory is in bytes: what its processes have resident, the pages of files that they read, and the kernel's own for
	// them.
	Memory int64 `json:"memory_bytes,omitempty"`
}

// Period is how often a group gets its CPU time anew: what Kubernetes and Docker use, and the kernel's default.
const Period = 100 * time.Millisecond

// The bounds of limits: the kernel's least quota is 1 ms, and it keeps what a group uses of memory in batches of 64
// pages for each CPU.
const (
	leastCPUs   = 0.01
	mostCPUs    = 4096
	leastMemory = 1 << 20
)

// Validate reports all faults at once.
func (l Limits) Validate() error {
	var errs []error
	if l.CPUs != 0 && !(l.CPUs >= leastCPUs && l.CPUs <= mostCPUs) {
		errs = append(errs, fmt.Errorf("limit of %v CPUs, want %v to %d", l.CPUs, leastCPUs, mostCPUs))
	}
	if l.Memory != 0 && l.Memory < leastMemory {
		errs = append(errs, fmt.Errorf("memory limit of %d bytes, want 1 MiB at least: 256Mi is %d bytes", l.Memory,
			256<<20))
	}
	return errors.Join(errs...)
}

// String writes the limits for people: 0.5 CPUs, 256 MiB. It is empty without a limit.
func (l Limits) String() string {
	switch {
	case l.CPUs != 0 && l.Memory != 0:
		return l.CPUText() + ", " + l.MemoryText()
	case l.CPUs != 0:
		return l.CPUText()
	case l.Memory != 0:
		return l.MemoryText()
	}
	return ""
}

// CPUText is the limit of CPU time: 0.5 CPUs.
func (l Limits) CPUText() string {
	text := strconv.FormatFloat(l.CPUs, 'g', -1, 64)
	if l.CPUs == 1 {
		return text + " CPU"
	}
	return text + " CPUs"
}

// MemoryText is the limit of memory in the unit in which manifests are written: 256 MiB.
func (l Limits) MemoryText() string {
	for i, unit := range []string{"GiB", "MiB", "KiB"} {
		if size := int64(1) << (30 - 10*i); l.Memory%size == 0 {
			return strconv.FormatInt(l.Memory/size, 10) + " " + unit
		}
	}
	return strconv.FormatInt(l.Memory, 10) + " bytes"
}

// quota is the CPU time in each period, in microseconds.
func (l Limits) quota() string {
	return strconv.FormatInt(int64(l.CPUs*float64(Period.Microseconds())+0.5), 10)
}

// GoMemLimit is a GOMEMLIMIT that leaves a tenth of the memory limit for what the runtime does not manage.
func (l Limits) GoMemLimit() string { return fmt.Sprintf("%dMiB", max(1, l.Memory*9/10>>20)) }
