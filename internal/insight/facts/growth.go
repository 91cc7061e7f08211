package facts

import (
	"fmt"

	"github.com/gohone/hone/internal/text/units"
)

// Growth is what a size gained per request while the load was the same. NaN never occurs.
type Growth struct {
	// Goroutines, HeapBytes and Descriptors are gained per request; each is 0 unless it rose steadily.
	Goroutines, HeapBytes, Descriptors float64
	// FromGoroutines to ToGoroutines and FromHeap to ToHeap are the ends.
	FromGoroutines, ToGoroutines uint64
	FromHeap, ToHeap             uint64
	// Requests were answered meanwhile, of several starts in each.
	Requests uint64
	// Starts is how many starts of the program the sizes are the medians of; 0 for those of one.
	Starts int
	// Longer is the command that loads the program for longer; empty where it is not known.
	Longer string
}

// Over says how many requests a growth was seen for.
func (g Growth) Over() string {
	if g.Starts > 0 {
		return fmt.Sprintf("%s requests in each of %d starts", units.Count(g.Requests), g.Starts)
	}
	return units.Count(g.Requests) + " requests"
}
