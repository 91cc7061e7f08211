package timed

import "time"

// ThrottledShare is the part of a time in which a program was held back, 0 to 1. The kernel adds up the time over CPUs.
// A Go program runs on GOMAXPROCS of them at most, and another on all that it may use.
func (t *Load) ThrottledShare(throttled, of time.Duration, cpus []int) float64 {
	width := max(1, len(cpus))
	if procs := t.MaxProcs(); procs > 0 {
		width = min(width, procs)
	}
	if of <= 0 {
		return 0
	}
	return min(1, throttled.Seconds()/of.Seconds()/float64(width))
}

// MaxProcs is GOMAXPROCS of the latest process; 0 where it is not known.
func (t *Load) MaxProcs() int {
	if len(t.Moments) == 0 {
		return 0
	}
	last := t.Moments[len(t.Moments)-1].Runtime
	return int(min(last.GOMAXPROCS/uint64(max(last.Processes, 1)), 1<<20))
}
