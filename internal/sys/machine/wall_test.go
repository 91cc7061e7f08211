package machine

import (
	"testing"
	"time"
)

func TestWall(t *testing.T) {
	step := time.Duration(0)
	w := WatchWall(func() time.Time { return time.Now().Round(0).Add(step) })
	for _, c := range []struct {
		step time.Duration
		want string
	}{
		{0, ""},
		{noticeableStep / 10, ""},
		{time.Hour, "the time of day was changed by 1h0m0s during the measurement; durations are not affected"},
		{-time.Hour, "the time of day was changed by -1h0m0s during the measurement; durations are not affected"},
	} {
		if step = c.step; w.Stepped() != c.want {
			t.Errorf("a step of %v: %q, want %q", c.step, w.Stepped(), c.want)
		}
	}
	if said := WatchWall(nil).Stepped(); said != "" {
		t.Errorf("the system's clock: %q", said)
	}
}
