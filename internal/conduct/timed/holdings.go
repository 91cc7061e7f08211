package timed

import (
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// Holdings is what a start of a comparison holds, the heap right after a collection. Known is false where the runtime
// could not be read.
type Holdings struct {
	Heap, Goroutines uint64
	Descriptors      int
	Known            bool
}

// What a start gains by chance: connections and pools that come and go, the runtime's own goroutines.
const (
	LeastHeapGain = 64 << 10
	LeastGain     = 4 // goroutines, descriptors
	// LeastOpened is for a run by itself, which has no other start that shows the same: pools of connections open a
	// few tens.
	LeastOpened = 50
)

// Growth adds to what a start shows how much it keeps of each request: the heap after a collection, goroutines and
// descriptors, from before its timed slices to after them. A gain that comes by chance is none.
func (h Holdings) Growth(after Holdings, requests uint64, values judge.Sample) {
	if !h.Known || !after.Known || requests == 0 {
		return
	}
	per := func(m judge.Measure, gain, least int64) {
		if gain < least {
			gain = 0
		}
		values[m.Key] = float64(gain) / float64(requests)
	}
	per(measure.HeapGrowth, int64(after.Heap)-int64(h.Heap), LeastHeapGain)
	per(measure.GoroutineGrowth, int64(after.Goroutines)-int64(h.Goroutines), LeastGain)
	per(measure.DescriptorGrowth, int64(after.Descriptors-h.Descriptors), LeastGain)
}
