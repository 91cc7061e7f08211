package machine

import (
	"strconv"
	"strings"
	"time"
)

// CPUTimes are the machine's CPU times in clock ticks, over all CPUs (proc_stat(5), line
// "cpu").
type CPUTimes struct{ steal, idle, total uint64 }

// tick is the unit of /proc/stat: USER_HZ is 100 on every Linux that Go runs on.
const tick = 10 * time.Millisecond

// ReadCPUTimes reads them; they are zero where the system does not tell.
func ReadCPUTimes() CPUTimes { return parseCPUTimes(readText("/proc/stat")) }

func parseCPUTimes(stat string) CPUTimes {
	line, _, _ := strings.Cut(stat, "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return CPUTimes{}
	}
	var t CPUTimes
	// Fields 9 and 10 (guest) are contained in user and nice already.
	for i, f := range fields[1:9] {
		n, err := strconv.ParseUint(f, 10, 64)
		if err != nil {
			return CPUTimes{}
		}
		t.total += n
		switch i {
		case 3, 4: // idle, and idle with input or output under way
			t.idle += n
		case 7:
			t.steal = n
		}
	}
	return t
}

// StealSince is the share of the CPU time since earlier that the hypervisor took, 0 to
// 1; 0 where unknown.
func (t CPUTimes) StealSince(earlier CPUTimes) float64 {
	share, _ := t.stealSince(earlier)
	return share
}

// stealSince also says whether the share is known: the clocks ran, and forwards.
func (t CPUTimes) stealSince(earlier CPUTimes) (share float64, known bool) {
	if t.total <= earlier.total || t.steal < earlier.steal {
		return 0, false
	}
	return min(1, float64(t.steal-earlier.steal)/float64(t.total-earlier.total)), true
}

// busySince is the CPU time that programs and the kernel used since earlier, in steps
// of a tick.
func (t CPUTimes) busySince(earlier CPUTimes) (busy time.Duration, known bool) {
	if t.total == 0 || earlier.total == 0 || t.total < earlier.total {
		return 0, false
	}
	// The idle time that the kernel reports may run backwards (proc_stat(5)).
	used := int64(t.total-t.idle-t.steal) - int64(earlier.total-earlier.idle-earlier.steal)
	return max(0, time.Duration(used)*tick), true
}
