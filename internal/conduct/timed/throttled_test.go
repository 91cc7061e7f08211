package timed

import (
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/probeclient"
)

// The kernel adds throttled time up over CPUs; the share is that of the CPUs that the program runs on at once.
func TestThrottledShare(t *testing.T) {
	for _, c := range []struct {
		procs     uint64
		cpus      int
		throttled time.Duration
		want      float64
	}{
		{0, 2, time.Second, 0.5}, {1, 2, time.Second, 1}, {64, 2, time.Second, 0.5}, {2, 8, time.Second, 0.5},
		{1, 1, 3 * time.Second, 1}, {2, 2, 0, 0},
	} {
		v := &Load{}
		if c.procs > 0 {
			v.Moments = []Moment{{Runtime: probeclient.Runtime{GOMAXPROCS: c.procs, Processes: 1}}}
		}
		if got := v.ThrottledShare(c.throttled, time.Second, make([]int, c.cpus)); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
