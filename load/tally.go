package load

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Tally sums slices of one session or of several sessions under the same plan.
type Tally struct {
	Counts
	Slices int
	// Duration is the time under load, drains included.
	Duration time.Duration
	// Latency holds the service time of all right answers, nanoseconds; nil before
	// the first Add.
	Latency *hdrhistogram.Histogram
	// Stalled is the most connections that were stalled at once, MinLive the fewest
	// that were open; Reconnects counts replaced connections.
	Stalled, MinLive, Reconnects int
	// WorkerCPU over WorkerWall is how busy the generator was.
	WorkerCPU, WorkerWall time.Duration
}

// Add adds one slice. What is outstanding after a slice is carried by the session,
// so Unanswered and Unsent keep the latest slice's values: set them from
// Session.Close when the session ends.
func (t *Tally) Add(s Slice) {
	unanswered, unsent := s.Unanswered, s.Unsent
	t.Counts.Add(s.Counts)
	t.Unanswered, t.Unsent = unanswered, unsent
	if t.Slices == 0 || s.Live < t.MinLive {
		t.MinLive = s.Live
	}
	t.Slices++
	t.Duration += s.Duration
	t.Stalled = max(t.Stalled, s.Stalled)
	t.Reconnects += s.Reconnects
	t.WorkerCPU += s.WorkerCPU
	t.WorkerWall += s.WorkerWall
	if s.Latency == nil {
		return
	}
	if t.Latency == nil {
		t.Latency = hdrhistogram.New(s.Latency.LowestTrackableValue(), s.Latency.HighestTrackableValue(), int(s.Latency.SignificantFigures()))
	}
	t.Latency.Merge(s.Latency)
}

// Busy is the share of its CPU time that the generator used, 0 to 1.
func (t *Tally) Busy() float64 {
	if t.WorkerWall <= 0 {
		return 0
	}
	return float64(t.WorkerCPU) / float64(t.WorkerWall)
}

// RightShare is the share of the settled requests that were answered right, 0 to 1.
func (t *Tally) RightShare() float64 {
	settled := t.Answered + t.Failed
	if settled == 0 {
		return 0
	}
	return float64(t.Answered) / float64(settled)
}
