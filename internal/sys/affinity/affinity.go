package affinity

import "slices"

// SplitCPUs divides the CPUs that hone may use into those of the load generator and
// those of the subject, so that neither steals time from the other.
//
// One CPU is shared by both. Of two each gets one, the generator the lower one,
// which on most machines also serves the interrupts. Of more the subject gets two
// thirds, rounded to the nearest: a request costs a lean generator about half of
// what it costs a server. Lists are in ascending order; they know nothing of
// hyper-threads.
func SplitCPUs(allowed []int) (generator, subject []int) {
	cpus := slices.Compact(slices.Sorted(slices.Values(allowed)))
	n := len(cpus)
	if n < 2 {
		return cpus, slices.Clone(cpus)
	}
	forSubject := (2*n + 1) / 3
	return cpus[: n-forSubject : n-forSubject], cpus[n-forSubject:]
}
