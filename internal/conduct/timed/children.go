package timed

import "time"

// childrenTold is how much CPU time of short-lived children is told apart: the system counts it in steps of 10 ms of
// each of two kinds, so that an error of a step is 5 % of it.
const childrenTold = 400 * time.Millisecond

// ShareChildren gives the slices of a start, from one on, the CPU time of the children that lived too short to be read,
// whose clock is too coarse for a slice: as much for each answer. Those of a comparison share all that was used,
// between slices, too; the slices of a run have no time between them, and so many share theirs that it is known well.
func (t *Load) ShareChildren(from int, used time.Duration) {
	all := t.Samples[from:]
	if t.Compared {
		shareEvenly(all, used)
		return
	}
	begin, sum := 0, time.Duration(0)
	for i := range all {
		sum += all[i].Counters.Children
		if sum >= childrenTold || i == len(all)-1 {
			shareEvenly(all[begin:i+1], sum)
			begin, sum = i+1, 0
		}
	}
}

func shareEvenly(all []Sample, used time.Duration) {
	answered := BatchOf(all).Answered
	if answered == 0 {
		return
	}
	for i := range all {
		s := &all[i]
		s.Counters.Children = time.Duration(float64(used) * float64(s.Loaded.Answered) / float64(answered))
		s.Sample = BatchOf(all[i : i+1]).values()
	}
}
