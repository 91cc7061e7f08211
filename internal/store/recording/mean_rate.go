package recording

import (
	"slices"
	"time"

	"github.com/gohone/hone/load"
)

// MeanRate is the mean rate, in requests per second, that a schedule asks for between two
// moments counted from its start: the integral of its stages, or the moments of its
// replay, over the time between. 0 for a closed loop and where nothing is asked for.
func MeanRate(s load.Schedule, from, to time.Duration) float64 {
	if to <= from {
		return 0
	}
	if len(s.Replay) > 0 {
		low, _ := slices.BinarySearch(s.Replay, from)
		high, _ := slices.BinarySearch(s.Replay, to)
		return float64(high-low) / (to - from).Seconds()
	}
	var requests float64
	begin := time.Duration(0)
	for _, g := range s.Stages {
		end := begin + g.For
		if a, b := max(from, begin), min(to, end); a < b {
			rate := func(at time.Duration) float64 {
				return g.From + (g.To-g.From)*float64(at-begin)/float64(g.For)
			}
			requests += (rate(a) + rate(b)) / 2 * (b - a).Seconds()
		}
		begin = end
	}
	return requests / (to - from).Seconds()
}
