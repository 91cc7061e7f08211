package service

import (
	"testing"
	"time"
)

func TestSlicing(t *testing.T) {
	const ms = time.Millisecond
	fast := warmUp{answered: 200_000, median: ms}
	collected := func(collections int, share float64) warmUp {
		w := fast
		w.collections, w.collecting = collections, share
		return w
	}
	for _, c := range []struct {
		name   string
		warmed warmUp
		asked  time.Duration
		want   slicing
	}{
		{"a fast service", fast, 0, slicing{10 * ms, 1, false, ms}},
		{"2,000 requests a second", warmUp{answered: 300, median: 5 * ms}, 0, slicing{50 * ms, 1, false, ms}},
		{"a query of 10 ms on many connections", warmUp{answered: 3000, median: 10 * ms}, 0,
			slicing{40 * ms, 1, false, ms}},
		{"a slow one", warmUp{answered: 3, median: 100 * ms}, 0, slicing{250 * ms, 1, false, 10 * ms}},
		{"no answer during the warm-up", warmUp{}, 0, slicing{10 * ms, 1, false, ms}},
		{"a busy collector", collected(5, 0.2), 0, slicing{25 * ms, 5, true, ms}},
		{"a collector that runs all the time", collected(75, 0.2), 0, slicing{25 * ms, 1, true, ms}},
		{"many cheap collections", collected(5, 0.03), 0, slicing{10 * ms, 1, false, ms}},
		{"a collector that was busy before", collected(0, 0.2), 0, slicing{10 * ms, 1, false, ms}},
		{"one long collection", collected(1, 0.2), 0, slicing{25 * ms, 20, true, ms}},
		{"a busy collector and slow answers", warmUp{answered: 300, median: 5 * ms, collections: 5, collecting: 0.2}, 0,
			slicing{50 * ms, 3, true, ms}},
		{"the user's slice", fast, 30 * ms, slicing{30 * ms, 1, false, ms}},
		{"the user's slice and a busy collector", collected(5, 0.2), 50 * ms, slicing{50 * ms, 3, true, ms}},
	} {
		c.warmed.took = 150 * ms
		if got := c.warmed.slicing(c.asked, 0); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	// Both variants are cut alike, as serves the one that needs more.
	if got, want := (slicing{10 * ms, 1, false, ms}).with(slicing{25 * ms, 5, true, ms}),
		(slicing{25 * ms, 5, true, ms}); got != want {
		t.Errorf("together %v, want %v", got, want)
	}
	if got, want := (slicing{50 * ms, 2, false, ms}).with(slicing{25 * ms, 8, true, 2 * ms}),
		(slicing{50 * ms, 4, true, 2 * ms}); got != want {
		t.Errorf("together %v, want %v", got, want)
	}
	if got, want := (slicing{}).with(slicing{10 * ms, 1, false, ms}), (slicing{10 * ms, 1, false, ms}); got != want {
		t.Errorf("with nothing %v, want %v", got, want)
	}
}
