package advice

import (
	"fmt"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/text/units"
)

// evidence are the rows that an account gives: its CPU time, what it allocates, and its heaviest stack.
func (v *search) evidence(u *facts.Account) []Evidence {
	s, best := &v.Stacks[u.Stacks[0]], -1.0
	for _, i := range u.Stacks {
		one := &v.Stacks[i]
		worth := one.Cost
		if own := one.Own(0); own < len(one.Frames) && one.Frames[own].Line == u.Place.Line {
			worth++ // a stack of the line that is named goes before all others
		}
		if worth > best {
			s, best = one, worth
		}
	}
	shown := s.Text(s.Own(0), 0)
	if len(shown) == 0 {
		shown = s.Text(len(s.Frames)-1, 0)
	}
	rows := []Evidence{{Source: "cpu", Text: fmt.Sprintf("%s of the CPU time (%d samples)", units.Share(u.CPU), u.Ticks),
		Stack: shown}}
	if blamed := u.Cost - u.CPU; blamed >= 0.001 {
		rows = append(rows, Evidence{Source: "blame",
			Text: fmt.Sprintf("%s of the CPU time is the collector's work for what it allocates", units.Share(blamed))})
	}
	if u.Counted() {
		rows = append(rows, Evidence{Source: "allocs",
			Text: fmt.Sprintf("%s allocations and %s per request%s, %s of all bytes", units.Digits(u.PerRequest(u.Objects)),
				units.Bytes(u.PerRequest(u.Bytes)), u.Whose(), units.Share(u.Bytes/max(v.AllBytes(), 1)))})
	}
	return rows
}

// Evidence is one row under a finding.
type Evidence struct {
	// Source is the profile or the counter that says so: "cpu", "allocs", "blame", "wait", "mutex",
	// "goroutine", "holders", "counters", "source".
	Source string `json:"source"`
	Text   string `json:"text"`
	// Stack is the heaviest one, the user's frame first; nil where there is none.
	Stack []string `json:"stack,omitempty"`
}
