package load

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Tally sums slices of one session or of several sessions under the same plan. The
// zero value is empty. Its histograms are its own; nil while they are empty.
type Tally struct {
	Counts
	Slices int
	// Duration is the time under load, drains included; Draining is what they took, and
	// Silent the part of that at their ends in which no answer came any more.
	Duration, Draining, Silent time.Duration
	// The histograms of all slices, nanoseconds; see Slice.
	Service, Response, Lag, Age, FailedLatency *hdrhistogram.Histogram
	// Codes counts answers by Answer.Code; nil if all were 0.
	Codes map[int]uint64
	// Dropped is the part of Unsent that can never be sent.
	Dropped uint64
	// Waited counts the requests of an open loop that had to wait for a connection.
	Waited uint64
	// Stalled is the most connections that were stalled at once, MinLive the fewest
	// that were open; Reconnects and Renewed count replaced connections.
	Stalled, MinLive, Reconnects, Renewed int
	// WorkerCPU over WorkerWall is how busy the generator was; Spin is the part of
	// WorkerCPU that only waited.
	WorkerCPU, WorkerWall, Spin time.Duration
}

// Add adds one slice. What is outstanding or unsent after a slice is carried by the
// session into the next, so Unanswered and Unsent are those of the latest slice, and of
// what was dropped before it.
func (t *Tally) Add(s Slice) {
	t.Counts.Add(s.Counts)
	t.Dropped += s.Dropped
	t.Unanswered, t.Unsent = s.Unanswered, t.Dropped+s.Unsent-s.Dropped
	if t.Slices == 0 || s.Live < t.MinLive {
		t.MinLive = s.Live
	}
	t.Slices++
	t.Duration += s.Duration
	t.Draining += s.Draining
	t.Silent += s.Silent
	t.Stalled = max(t.Stalled, s.Stalled)
	t.Reconnects += s.Reconnects
	t.Renewed += s.Renewed
	t.WorkerCPU += s.WorkerCPU
	t.WorkerWall += s.WorkerWall
	t.Spin += s.Spin
	t.Waited += s.Waited
	t.Codes = sumCodes(t.Codes, s.Codes)
	t.Service = SumHistograms(t.Service, s.Service)
	t.Response = SumHistograms(t.Response, s.Response)
	t.Lag = SumHistograms(t.Lag, s.Lag)
	t.Age = SumHistograms(t.Age, s.Age)
	t.FailedLatency = SumHistograms(t.FailedLatency, s.FailedLatency)
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
	a.Merge(b)
	return a
}

// Latency is the distribution that speaks for the target: response time in an open
// loop, service time in a closed one, and in both the age of what was given up in the
// tail. It is a copy; nil if there is nothing in it.
func (t *Tally) Latency() *hdrhistogram.Histogram {
	all := SumHistograms(nil, t.Age)
	if t.Response != nil {
		return SumHistograms(all, t.Response)
	}
	return SumHistograms(all, t.Service)
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
