package machine

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// parseLoad1 reads the first number of /proc/loadavg.
func parseLoad1(loadavg string) counter[float64] {
	first, _, _ := strings.Cut(strings.TrimSpace(loadavg), " ")
	n, err := strconv.ParseFloat(first, 64)
	if err != nil || n < 0 || math.IsInf(n, 0) || math.IsNaN(n) {
		return counter[float64]{}
	}
	return counter[float64]{n: n, known: true}
}

// parsePressure reads the stall times of a file of /proc/pressure:
//
//	some avg10=0.00 avg60=0.00 avg300=0.00 total=143414541
//	full avg10=0.00 avg60=0.00 avg300=0.00 total=89175460
func parsePressure(text string) (some, full counter[uint64]) {
	for line := range strings.Lines(text) {
		kind, rest, _ := strings.Cut(line, " ")
		_, total, found := strings.Cut(rest, "total=")
		n, err := strconv.ParseUint(strings.TrimSpace(total), 10, 64)
		if !found || err != nil {
			continue
		}
		switch kind {
		case "some":
			some = counter[uint64]{n: n, known: true}
		case "full":
			full = counter[uint64]{n: n, known: true}
		}
	}
	return some, full
}

// parseThrottled reads from a control group's cpu.stat how long it was throttled:
// throttled_usec in version 2, throttled_time in nanoseconds in version 1
// (Documentation/admin-guide/cgroup-v2.rst, Documentation/scheduler/sched-bwc.rst).
func parseThrottled(stat string) counter[time.Duration] {
	for line := range strings.Lines(stat) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		unit := time.Duration(0)
		switch key {
		case "throttled_usec":
			unit = time.Microsecond
		case "throttled_time":
			unit = time.Nanosecond
		default:
			continue
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 0 || n > math.MaxInt64/int64(unit) {
			return counter[time.Duration]{}
		}
		return counter[time.Duration]{n: time.Duration(n) * unit, known: true}
	}
	return counter[time.Duration]{}
}

// hasQuota says whether a group's CPU time is limited: cpu.max of version 2 is "max
// 100000" without a limit, cpu.cfs_quota_us of version 1 is -1.
func hasQuota(cpuMax, cfsQuota string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(cpuMax+cfsQuota), " ")
	return first != "" && first != "max" && !strings.HasPrefix(first, "-")
}
