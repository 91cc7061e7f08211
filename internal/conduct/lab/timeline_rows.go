package lab

import (
	"time"

	"github.com/gohone/hone/internal/program/subject"
)

// Rows returns the timeline in at most most rows, each of them one or more slices that
// follow each other: counters added up, sizes and durations the largest.
func (t *Timeline) Rows(most int) []Moment {
	size := max(1, (len(t.Slices)+most-1)/most)
	var rows []Moment
	for i, m := range t.Slices {
		if i%size == 0 {
			rows = append(rows, Moment{At: m.At, Start: m.Start})
		}
		rows[len(rows)-1].add(m)
	}
	return rows
}

// add takes in a slice that follows.
func (m *Moment) add(next Moment) {
	m.Duration += next.Duration
	m.Requests += next.Requests
	m.Runtime = m.Runtime.Add(next.Runtime)
	m.Pauses, m.Waits = m.Pauses.add(next.Pauses), m.Waits.add(next.Waits)
}

// add keeps what can be known of both together: the quantiles are lost.
func (s Spans) add(other Spans) Spans {
	return Spans{Count: s.Count + other.Count, Max: max(s.Max, other.Max)}
}

// GCShare is the collector's part of the CPU time that was not idle, 0 to 1; false where
// no cycle ended, since the runtime keeps that account at the end of each.
func (m Moment) GCShare() (share float64, known bool) { return gcShare(m.Runtime) }

func gcShare(r subject.Runtime) (share float64, known bool) {
	busy := r.CPU.Total - r.CPU.Idle
	if r.GCCycles == 0 || busy <= 0 {
		return 0, false
	}
	return float64(r.CPU.GC) / float64(busy), true
}

// PerSecond is n over the slice's time.
func (m Moment) PerSecond(n uint64) float64 {
	if m.Duration <= 0 {
		return 0
	}
	return float64(n) / (float64(m.Duration) / float64(time.Second))
}
