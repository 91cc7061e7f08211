package service

import (
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/usage"
)

// What a program did before its first slice, at its start and in the warm-up, is not idle time.
func TestIdleClock(t *testing.T) {
	var c idleClock
	at := func(cpu time.Duration) usage.Counters { return usage.Counters{CPU: cpu} }
	if got := c.begins(at(time.Second)); got != 0 {
		t.Errorf("%v before the first slice", got)
	}
	c.ends(at(2 * time.Second))
	if got := c.begins(at(5 * time.Second)); got != 3*time.Second {
		t.Errorf("%v between two slices, want 3s", got)
	}
}
