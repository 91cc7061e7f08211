package visits

import (
	"testing"
	"testing/synctest"
	"time"
)

// The text is that of the second in which it is asked for, also after a pause, and the
// clock leaves nothing running.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock
		for _, wait := range []time.Duration{0, 999 * time.Millisecond, time.Millisecond, 500 * time.Millisecond, 500 * time.Millisecond, time.Hour + time.Millisecond} {
			time.Sleep(wait)
			synctest.Wait()
			if got, want := c.now(), time.Now().Format(time.RFC3339); got != want {
				t.Errorf("%v later: %s, want %s", wait, got, want)
			}
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if c.text.Load() != nil {
			t.Error("the text outlives its second")
		}
	})
}
