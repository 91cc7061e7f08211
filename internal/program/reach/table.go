package reach

import (
	"fmt"
	"slices"
)

// Kind is a kind of run in which a function may be executed.
type Kind string

// The kinds. Start is all that comes before the load, or the first benchmark or test: init, main, TestMain.
const (
	Start     Kind = "start"
	Load      Kind = "load"
	Benchmark Kind = "benchmark"
	Test      Kind = "test"
)

// Table has the functions that differ between A and B, and what executes them.
type Table struct {
	Functions []Function `json:"functions"`
	// Hidden is what differs and is no function, in words. It counts as executed.
	Hidden []string `json:"hidden,omitempty"`
	// Lines are the lines of B that have changed, and have counters.
	Lines Lines `json:"lines"`
}

// Lines are numbers of changed lines: of all, and of those that a load, benchmarks or tests execute.
type Lines struct {
	All       int `json:"all"`
	Load      int `json:"load"`
	Benchmark int `json:"benchmark"`
	Test      int `json:"test"`
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
	// Uncounted says why it has no counters; empty if it has some. Then it counts as executed.
	Uncounted string `json:"uncounted,omitempty"`
	// Executed are the kinds of runs that execute it, on A or on B.
	Executed []Kind `json:"executed,omitempty"`
	// Benchmarks are those that execute it.
	Benchmarks []string `json:"benchmarks,omitempty"`
}

// During says whether a kind of run executes the function, or may do so.
func (f Function) During(k Kind) bool { return f.Uncounted != "" || slices.Contains(f.Executed, k) }

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
