package gctrace

import (
	"slices"
	"time"
)

// Summary is what many cycles say together.
type Summary struct {
	Cycles int `json:"cycles"`
	Forced int `json:"forced"` // of them by runtime.GC
	// Span is the time from the first cycle to the last, PerSecond how many there were in
	// it; 0 with fewer than two.
	Span      time.Duration `json:"span_ns"`
	PerSecond float64       `json:"per_second"`
	// Share is what the last line says: percent of the CPU time since the program began.
	Share int `json:"share_percent"`
	// Pauses of a cycle count as one.
	PauseP50 time.Duration `json:"pause_p50_ns"`
	PauseP99 time.Duration `json:"pause_p99_ns"`
	PauseMax time.Duration `json:"pause_max_ns"`
	// Live and Goal are the largest, in bytes.
	Live uint64 `json:"live_bytes"`
	Goal uint64 `json:"goal_bytes"`
}

// Summarize sums up cycles in the order in which they were written.
func Summarize(cycles []Cycle) Summary {
	s := Summary{Cycles: len(cycles)}
	if len(cycles) == 0 {
		return s
	}
	var pauses []time.Duration
	for _, c := range cycles {
		pauses = append(pauses, c.Clock.Pause())
		s.Live, s.Goal = max(s.Live, c.Live), max(s.Goal, c.Goal)
		if c.Forced {
			s.Forced++
		}
	}
	slices.Sort(pauses)
	rank := func(q float64) time.Duration { // nearest rank
		return pauses[min(len(pauses)-1, int(q*float64(len(pauses))))]
	}
	s.PauseP50, s.PauseP99, s.PauseMax = rank(0.5), rank(0.99), pauses[len(pauses)-1]
	first, last := cycles[0], cycles[len(cycles)-1]
	s.Share = last.Share
	if s.Span = last.At - first.At; s.Span > 0 {
		s.PerSecond = float64(len(cycles)-1) / s.Span.Seconds()
	}
	return s
}
