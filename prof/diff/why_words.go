package diff

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/prof/symbol"
)

// InWords says what became of a place, as a clause. The verb says what a change is of: takes (CPU time), or allocates.
//
//	regexp.MustCompile in main.(*shop).search (cmd/server/main.go:53) is gone
func (c Change) InWords(verb string) string {
	place := c.InPlace()
	if verb == "allocates" {
		place = strings.TrimPrefix(place, "allocation in ")
	}
	switch {
	case oneSided(c) && c.A > c.B:
		return place + " is gone"
	case oneSided(c):
		return place + " is new"
	case c.Delta > 0:
		return place + " " + verb + " more"
	}
	return place + " " + verb + " less"
}

// InPlace names what changed first, and then where:
//
//	regexp.MustCompile in main.(*shop).search (cmd/server/main.go:53)
func (c Change) InPlace() string {
	where, what := symbol.Short(c.Function), c.whatInWords()
	switch {
	case c.Function == "":
		return what
	case c.Calls:
		where += " with what it calls"
	case what != "" && what != where:
		where = what + " in " + where
	}
	if path := c.pathOrBase(); path != "" {
		where += fmt.Sprintf(" (%s:%d)", path, c.Line)
	}
	return where
}

// whatInWords is What without the runtime's own names.
func (c Change) whatInWords() string {
	if call, ok := strings.CutPrefix(c.What, "Syscall under "); ok {
		return "system call of " + call
	}
	what, _, _ := strings.Cut(c.What, " (runtime.")
	return what
}
