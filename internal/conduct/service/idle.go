package service

import (
	"time"

	"github.com/gohone/hone/internal/program/usage"
)

// idleClock tells what a start uses between its timed slices, when it has answered all that it
// was asked. The zero value has seen no slice.
type idleClock struct {
	at   usage.Counters // at the end of the last slice
	seen bool
}

// ends notes the counters at the end of a slice.
func (c *idleClock) ends(now usage.Counters) { c.at, c.seen = now, true }

// begins is the CPU time that was used since the end of the slice before; 0 for the first one,
// before which the program starts and is warmed up.
func (c *idleClock) begins(now usage.Counters) time.Duration {
	if !c.seen {
		return 0
	}
	return now.CPU - c.at.CPU
}
