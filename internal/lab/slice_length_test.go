package lab

import (
	"testing"
	"time"
)

func TestSliceLength(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name   string
		warmed warmUp
		want   time.Duration
	}{
		{"a fast service", warmUp{answered: 200_000, median: time.Millisecond}, 10 * ms},
		{"2,000 requests a second", warmUp{answered: 300, median: 5 * ms}, 50 * ms},
		{"a query of 10 ms on many connections", warmUp{answered: 3000, median: 10 * ms}, 80 * ms},
		{"a slow one", warmUp{answered: 3, median: 100 * ms}, 250 * ms},
		{"no answer during the warm-up", warmUp{}, 10 * ms},
		{"a busy collector", warmUp{answered: 200_000, median: time.Millisecond, collections: 5, collecting: 0.2}, 120 * ms},
		{"many cheap collections", warmUp{answered: 200_000, median: time.Millisecond, collections: 5, collecting: 0.03}, 10 * ms},
		{"a collector that was busy before", warmUp{answered: 200_000, median: time.Millisecond, collecting: 0.2}, 10 * ms},
		{"one long collection", warmUp{answered: 200_000, median: time.Millisecond, collections: 1, collecting: 0.2}, 250 * ms},
	} {
		c.warmed.took = 150 * ms
		if got := c.warmed.sliceLength(); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
