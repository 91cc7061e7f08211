package machine

import (
	"fmt"
	"time"
)

// Wall watches the time of day against the monotonic clock, from which all durations come.
type Wall struct {
	now   func() time.Time
	day   time.Time // without a monotonic reading
	start time.Time
}

// WatchWall starts to watch. now is the time of day; nil is the system's.
func WatchWall(now func() time.Time) Wall {
	if now == nil {
		now = time.Now
	}
	return Wall{now: now, day: now().Round(0), start: time.Now()}
}

// noticeableStep is far above what keeping a clock in step (NTP) moves it in a measurement.
const noticeableStep = 500 * time.Millisecond

// Stepped is a sentence on how far the time of day was set since the watch began, and ""
// where it was not.
func (w Wall) Stepped() string {
	step := w.now().Round(0).Sub(w.day) - time.Since(w.start)
	if step.Abs() < noticeableStep {
		return ""
	}
	return fmt.Sprintf("the time of day was changed by %v during the measurement; durations are not affected",
		step.Round(time.Millisecond))
}
