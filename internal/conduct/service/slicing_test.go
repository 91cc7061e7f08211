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
		{"a fast service", fast, 0, slicing{10 * ms, 1, false}},
		{"2,000 requests a second", warmUp{answered: 300, median: 5 * ms}, 0, slicing{50 * ms, 1, false}},
		{"a query of 10 ms on many connections", warmUp{answered: 3000, median: 10 * ms}, 0,
			slicing{40 * ms, 1, false}},
		{"a slow one", warmUp{answered: 3, median: 100 * ms}, 0, slicing{250 * ms, 1, false}},
		{"no answer during the warm-up", warmUp{}, 0, slicing{10 * ms, 1, false}},
		{"a busy collector", collected(5, 0.2), 0, slicing{25 * ms, 5, true}},
		{"a collector that runs all the time", collected(75, 0.2), 0, slicing{25 * ms, 1, true}},
		{"many cheap collections", collected(5, 0.03), 0, slicing{10 * ms, 1, false}},
		{"a collector that was busy before", collected(0, 0.2), 0, slicing{10 * ms, 1, false}},
		{"one long collection", collected(1, 0.2), 0, slicing{25 * ms, 20, true}},
		{"a busy collector and slow answers", warmUp{answered: 300, median: 5 * ms, collections: 5, collecting: 0.2}, 0,
			slicing{50 * ms, 3, true}},
		{"the user's slice", fast, 30 * ms, slicing{30 * ms, 1, false}},
		{"the user's slice and a busy collector", collected(5, 0.2), 50 * ms, slicing{50 * ms, 3, true}},
	} {
		c.warmed.took = 150 * ms
		if got := c.warmed.slicing(c.asked, 0); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	// Both variants are cut alike, as serves the one that needs more.
	if got, want := (slicing{10 * ms, 1, false}).with(slicing{25 * ms, 5, true}),
		(slicing{25 * ms, 5, true}); got != want {
		t.Errorf("together %v, want %v", got, want)
	}
	if got, want := (slicing{50 * ms, 2, false}).with(slicing{25 * ms, 8, true}),
		(slicing{50 * ms, 4, true}); got != want {
		t.Errorf("together %v, want %v", got, want)
	}
	if got, want := (slicing{}).with(slicing{10 * ms, 1, false}), (slicing{10 * ms, 1, false}); got != want {
		t.Errorf("with nothing %v, want %v", got, want)
	}
}
