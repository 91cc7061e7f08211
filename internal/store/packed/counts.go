package packed

import (
	"fmt"

	"github.com/gohone/hone/load"
)

// Counts is load.Counts as it is stored, with causes of any number: a later hone knows more.
type Counts struct {
	load.Counts
	Causes []uint64 `json:"causes,omitempty"`
}

// CountsOf is c as it is stored.
func CountsOf(c load.Counts) Counts {
	used := 0
	for i, n := range c.Causes {
		if n > 0 {
			used = i + 1
		}
	}
	return Counts{Counts: c, Causes: c.Causes[:used]}
}

// Load are the counts. It is an error where a cause was counted that this hone does not know.
func (w Counts) Load() (load.Counts, error) {
	c := w.Counts
	for i, n := range w.Causes {
		if i >= len(c.Causes) && n > 0 {
			return c, fmt.Errorf("cause number %d is unknown to this version of hone", i)
		}
		if i < len(c.Causes) {
			c.Causes[i] = n
		}
	}
	return c, nil
}
