package timed

import (
	"time"

	"github.com/gohone/hone/internal/program/memory"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/store/record"
)

// Moment is what the runtime did from one reading to the next.
type Moment struct {
	Start    int // of the program, from 0
	At       time.Time
	Took     time.Duration
	Requests uint64 // answered right meanwhile
	Before   Sizes
	Runtime  probeclient.Runtime // its histograms of the latest moments only: they are large
	Memory   *memory.Moment      // at the end; nil where it is not known
	pauses   record.Spans
	waits    record.Spans
	// readObjects and readBytes are what a process allocates for one reading.
	ReadObjects, ReadBytes int64
	Ends                   []time.Time // of collections, of the start of a comparison
}

// Sizes are what a program holds.
type Sizes struct{ Goroutines, Heap uint64 }

// recentMoments is how many moments keep their histograms.
const recentMoments = 64

func (t *Load) KeepMoment(m Moment) {
	m.pauses, m.waits = spansOf(m.Runtime.Pauses), spansOf(m.Runtime.Waits)
	t.Runtime = t.Runtime.Add(m.Runtime)
	t.Moments = append(t.Moments, m)
	if old := len(t.Moments) - 1 - recentMoments; old >= 0 {
		t.Moments[old].Runtime.Pauses, t.Moments[old].Runtime.Waits = nil, nil
	}
}

// Allocated is what the subject allocated, less what a reading does in each process: it may
// fall below 0 by what readings differ in.
func (m Moment) Allocated() (objects, bytes int64) {
	n := int64(max(1, m.Runtime.Processes))
	return int64(m.Runtime.AllocObjects) - n*m.ReadObjects, int64(m.Runtime.AllocBytes) - n*m.ReadBytes
}
