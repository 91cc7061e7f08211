package cases

import (
	"testing"
	"time"

	"github.com/gohone/hone/bench/side"
)

// By hand: of 10,000 requests 1,000 are due in the stop and wait 1 ms, 2 ms, ... 1 s;
// the 100 slowest of all are those of more than 0.9 s. Over the end 2,000 wait 1.001 s
// to 3 s.
func TestTruth(t *testing.T) {
	for _, c := range []struct {
		freeze
		want side.Report
	}{
		{freeze{"middle", 4 * time.Second, time.Second},
			side.Report{Answered: 10000, P99: 900 * time.Millisecond, Max: time.Second}},
		{freeze{"end", 8 * time.Second, 3 * time.Second},
			side.Report{Answered: 10000, P99: 2900 * time.Millisecond, Max: 3 * time.Second}},
	} {
		if got := c.truth(1000, 10*time.Second); got != c.want {
			t.Errorf("%s: truth %+v, want %+v", c.name, got, c.want)
		}
	}
}
