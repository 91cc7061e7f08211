package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/units"
)

// orNewest are the names of a command line. For those that are missing at its end they are the newest, the older one first.
func orNewest(names []string, want int) []string {
	for missing := want - len(names); missing > 0; missing-- {
		name := ledger.Last
		if missing > 1 {
			name = fmt.Sprintf("%s-%d", ledger.Last, missing-1)
		}
		names = append(names[:len(names):len(names)], name)
	}
	return names
}

// sayNewest says once which record a name by age stands for.
func (a *app) sayNewest(n ledger.Newest) {
	if _, known := a.said.LoadOrStore(n.Ref, true); known {
		return
	}
	line := fmt.Sprintf("%v of %s ago", n.Ref, age(time.Since(n.Started)))
	of := n.Label
	if n.Comparison != "" {
		of = strings.TrimPrefix(of+", of comparison "+n.Comparison, ", ")
	}
	if of != "" {
		line += " (" + of + ")"
	}
	a.dimmed(line)
}

// age is how old something is, in the largest unit of which it has at least one.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return units.Plural(max(0, int(d/time.Second)), "second")
	case d < time.Hour:
		return units.Plural(int(d/time.Minute), "minute")
	case d < 24*time.Hour:
		return units.Plural(int(d/time.Hour), "hour")
	}
	return units.Plural(int(d/(24*time.Hour)), "day")
}
