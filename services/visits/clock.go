package visits

import (
	"sync/atomic"
	"time"
)

// clock is the time of day as a log has it, to the second, without asking for it each time:
// the text is made once for each second in which it is needed, and forgotten when the
// second is over. It runs no goroutine of its own, and its timer ends with the second.
//
// A timer may come late when the CPUs are busy; so late is then the text.
type clock struct{ text atomic.Pointer[string] }

// now returns the time in the form of RFC 3339.
func (c *clock) now() string {
	if text := c.text.Load(); text != nil {
		return *text
	}
	now := time.Now()
	text := now.Format(time.RFC3339)
	if c.text.CompareAndSwap(nil, &text) {
		time.AfterFunc(now.Truncate(time.Second).Add(time.Second).Sub(now), func() { c.text.Store(nil) })
	}
	return text
}
