package reach

import "fmt"

// Executed says when a function that differs was executed.
type Executed string

// When it was. What has no counters is in doubt, and counts as executed under load.
const (
	UnderLoad Executed = "load"
	AtStart   Executed = "start"
	Never     Executed = "never"
	InDoubt   Executed = "in doubt"
)

// Table has the functions that differ between A and B, and what is known of their execution.
type Table struct {
	Functions []Function `json:"functions"`
	// Hidden is what differs and is no function, in words. It counts as executed.
	Hidden []string `json:"hidden,omitempty"`
}

// Function is a function of the source whose compiled code, or data, differ between A and B.
type Function struct {
	// Name is as Go users write it, with the name of its package: cart.(*Cart).Total.
	Name    string `json:"name"`
	Package string `json:"package"`
	// Place is where it stands in B; of a function that only A has, in A.
	Place Place `json:"place"`
	// Only is the side that has it; empty if both do.
	Only string `json:"only,omitempty"`
	// Through is what it uses, and what has changed, where its own source is the same: functions that are inlined,
	// constants, types, variables, embedded files. Empty where its own source has changed.
	Through []string `json:"through,omitempty"`
	// Uncounted says why it has no counters; empty if it has some.
	Uncounted string   `json:"uncounted,omitempty"`
	Executed  Executed `json:"executed,omitempty"`
}

// Place is a file of a package by its name, and lines of it.
type Place struct {
	File string `json:"file"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// String is cart.go:41-58.
func (p Place) String() string {
	if p.From == p.To {
		return fmt.Sprintf("%s:%d", p.File, p.From)
	}
	return fmt.Sprintf("%s:%d-%d", p.File, p.From, p.To)
}
