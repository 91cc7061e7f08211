package lab

import (
	"time"
)

// childrenTold is how much CPU time of short-lived children is told apart: the system counts it in steps of 10 ms of
// each of two kinds, so that an error of a step is 5 % of it.
const childrenTold = 400 * time.Millisecond

// shareChildren gives the slices of a start, from one on, the CPU time of the children that lived too short to be read,
// whose clock is too coarse for a slice: as much for each answer. Those of a comparison share all that was used,
// between slices, too; the slices of a run have no time between them, and so many share theirs that it is known well.
func (v *service) shareChildren(from int, used time.Duration) {
	all := v.timed.samples[from:]
	if v.compared {
		shareEvenly(all, used)
		return
	}
	begin, sum := 0, time.Duration(0)
	for i := range all {
		sum += all[i].counters.Children
		if sum >= childrenTold || i == len(all)-1 {
			shareEvenly(all[begin:i+1], sum)
			begin, sum = i+1, 0
		}
	}
}

func shareEvenly(all []sample, used time.Duration) {
	answered := batchOf(all).answered
	if answered == 0 {
		return
	}
	for i := range all {
		s := &all[i]
		s.counters.Children = time.Duration(float64(used) * float64(s.slice.Answered) / float64(answered))
		s.Sample = batchOf(all[i : i+1]).values()
	}
}
