package record

import (
	"slices"
)

// Outcome is what Measure stored.
type Outcome struct {
	Runs []Run
	// Comparison is nil for a single run.
	Comparison *Comparison
}

// Loaded says whether a program got any request.
func (o *Outcome) Loaded() bool {
	return slices.ContainsFunc(o.Runs, func(r Run) bool { return r.Counts.Sent > 0 })
}

// ExecutionsOutcome is what a measurement of programs that end by themselves has stored.
type ExecutionsOutcome struct {
	Runs []Executions
	// Comparison is nil for a single run.
	Comparison *Comparison
}
