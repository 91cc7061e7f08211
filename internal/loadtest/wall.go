package loadtest

import "time"

// wallClock watches the time of day against the monotonic clock.
type wallClock struct {
	now   func() time.Time
	day   time.Time // without a monotonic reading
	start time.Time
}

func (t *Tester) wallClock() wallClock {
	now := t.Wall
	if now == nil {
		now = time.Now
	}
	return wallClock{now: now, day: now().Round(0), start: time.Now()}
}

// noticeableStep is far above what keeping a clock in step (NTP) moves it in a test.
const noticeableStep = 500 * time.Millisecond

// stepped is how far the time of day was set since w was made.
func (w wallClock) stepped() time.Duration {
	return w.now().Round(0).Sub(w.day) - time.Since(w.start)
}
