package accesslog

import (
	"maps"
	"slices"
	"time"
)

// seconds counts events by the second that they are in. Events come nearly in order of time: counts of seconds long
// past are added up, and a second that comes again after that counts as another.
type seconds struct {
	open map[int64]int // by Unix second
	// busiest, squares and sum are of those that were added up.
	busiest      int
	squares, sum float64
}

// mostOpen is how many seconds are open at once: logs of several machines are some minutes apart.
const mostOpen = 4096

func (s *seconds) add(at time.Time) {
	if s.open == nil {
		s.open = map[int64]int{}
	}
	s.open[at.Unix()]++
	if len(s.open) > mostOpen {
		s.close(mostOpen / 2)
	}
}

// close adds the earliest n seconds up.
func (s *seconds) close(n int) {
	for _, second := range slices.Sorted(maps.Keys(s.open))[:min(n, len(s.open))] {
		count := s.open[second]
		delete(s.open, second)
		s.busiest = max(s.busiest, count)
		s.squares += float64(count) * float64(count)
		s.sum += float64(count)
	}
}

// seen is how many events a second has besides the one that looks, on average over the events: the rate of a Poisson
// process, and of one with pauses its rate between them.
func (s *seconds) seen() float64 {
	s.close(len(s.open))
	if s.sum == 0 {
		return 0
	}
	return s.squares/s.sum - 1
}

// dispersion is the variance of the counts over their mean, of all seconds of a span: 1 for a Poisson process, 0 for
// even arrivals, more for bursts (the index of dispersion; Cox and Lewis, The Statistical Analysis of Series of Events,
// 1966, section 4.5).
func (s *seconds) dispersion(span time.Duration) float64 {
	s.close(len(s.open))
	n := max(1, span.Seconds())
	mean := s.sum / n
	if mean == 0 {
		return 0
	}
	return (s.squares/n - mean*mean) / mean
}
