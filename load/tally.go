package load

import "github.com/HdrHistogram/hdrhistogram-go"

// Tally sums slices of one session or of several sessions under the same plan, as if they
// were one slice: Extend says how. Its Duration is the time under load, drains included, its
// Live the fewest connections that were open, its Stalled the most that were stalled at once.
// The zero value is empty. Its histograms are its own; nil while they are empty.
type Tally struct {
	Slice
	Slices int
}

// Add adds one slice. What is outstanding or unsent after a slice is carried by the
// session into the next, so Unanswered and Unsent are those of the latest slice, and of
// what was dropped before it.
func (t *Tally) Add(s Slice) {
	if t.Slices == 0 {
		t.Live = s.Live
	}
	t.Slices++
	t.Extend(s)
}

// SumHistograms adds b to a, which it makes where there is none, and returns a; b stays
// as it is. Both have the same range; either may be nil.
func SumHistograms(a, b *hdrhistogram.Histogram) *hdrhistogram.Histogram {
	if b == nil {
		return a
	}
	if a == nil {
		a = hdrhistogram.New(b.LowestTrackableValue(), b.HighestTrackableValue(), int(b.SignificantFigures()))
	}
	addBars(a, b)
	return a
}

// Latency is the distribution that speaks for the target: response time in an open
// loop, service time in a closed one, and in both the age of what was given up in the
// tail. It may be one of the slice's own histograms; nil if there is none.
func (s Slice) Latency() *hdrhistogram.Histogram {
	all := s.Service
	if s.Response != nil {
		all = s.Response
	}
	if s.Age == nil {
		return all
	}
	return SumHistograms(SumHistograms(nil, all), s.Age)
}

// Busy is the share of its CPU time that the generator used, 0 to 1, without what it
// spent waiting for due moments.
func (t *Tally) Busy() float64 {
	if t.WorkerWall <= 0 {
		return 0
	}
	return float64(t.WorkerCPU-t.Spin) / float64(t.WorkerWall)
}

// RightShare is the share of replies that were right, 0 to 1.
func (t *Tally) RightShare() float64 {
	wrong, ok := t.WrongShare()
	if !ok {
		return 0
	}
	return 1 - wrong
}
