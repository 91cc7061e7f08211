package lab

import (
	"testing"
	"time"
)

func TestSliceLength(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name     string
		answered uint64
		median   time.Duration
		want     time.Duration
	}{
		{"a fast service", 200_000, time.Millisecond, 10 * ms},
		{"2,000 requests a second", 300, 5 * ms, 50 * ms},
		{"a query of 10 ms on many connections", 3000, 10 * ms, 80 * ms},
		{"a slow one", 3, 100 * ms, 250 * ms},
		{"no answer during the warm-up", 0, 0, 10 * ms},
	} {
		if got := sliceLength(150*ms, c.answered, c.median); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
