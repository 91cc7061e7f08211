package benchmarks

import (
	"cmp"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
)

// OneSided is a benchmark that only Side has.
type OneSided struct {
	Package string `json:"package"`
	Name    string `json:"name"`
	Side    string `json:"side"`
	Text    string `json:"text"`
	// Pattern is what Request.Skip leaves it out with.
	Pattern string `json:"pattern"`
}

// Skipped is a benchmark that skips itself by b.Skip, on one side or on both.
type Skipped struct {
	Package string `json:"package"`
	// Name is without -GOMAXPROCS; Side is A, B or "A and B".
	Name   string `json:"name"`
	Side   string `json:"side"`
	Reason string `json:"reason,omitempty"`
}

// Failure is a package that does not build on one side, or a benchmark that fails there. It
// is not compared; everything else is.
type Failure struct {
	Package string `json:"package"`
	// Name is the benchmark's, as go test prints it without Benchmark in front; empty for a
	// package.
	Name string `json:"name,omitempty"`
	// Side is A or B.
	Side string `json:"side"`
	// Text says what failed, Output has the last lines of the compiler or of the benchmark.
	Text   string `json:"text"`
	Output string `json:"output,omitempty"`
	// Hint is the next step.
	Hint string `json:"hint,omitempty"`
}

// ChangedTests are the test files of a package, and the files in its testdata, that are not
// the same on both sides.
type ChangedTests struct {
	Package string `json:"package"`
	// Files are paths in the package's directory, each with "(only on side A)" or B where
	// the other side has none.
	Files []string `json:"files"`
}

// Note is something that was not compared, and why.
type Note struct {
	Package string `json:"package"`
	Text    string `json:"text"`
}

// Unchanged is a benchmark function that is not measured, with all its sub-benchmarks, since nothing that it can run or
// read differs between the sides, or nothing that it executes.
type Unchanged struct {
	Package string `json:"package"`
	// Name is without Benchmark in front.
	Name string `json:"name"`
	// Reason is SameCode or NotExecuted; empty, in results of older versions, is SameCode.
	Reason string `json:"reason,omitempty"`
	// Gates have passed.
	Gates []gate.Result `json:"gates,omitempty"`
}

// Untimed is a benchmark whose time does not grow with the number of operations, so that its
// time per operation says nothing. It is not compared.
type Untimed struct {
	Package string `json:"package"`
	Name    string `json:"name"`
	Side    string `json:"side"`
	// Text says what was seen, Hint the next step.
	Text string `json:"text"`
	Hint string `json:"hint"`
	// Few and Many are the two processes that show it.
	Few  Trial `json:"few"`
	Many Trial `json:"many"`
}

// Trial is one process of a benchmark with so many operations: the part that the benchmark
// timed, and the whole process.
type Trial struct {
	Operations int           `json:"operations"`
	Timed      time.Duration `json:"timed_ns"`
	Wall       time.Duration `json:"wall_ns"`
}

// Why a benchmark is unchanged, in words.
const (
	SameCode    = "same code"
	NotExecuted = "executes nothing that changed"
)

// Why is the reason in words.
func (u Unchanged) Why() string { return cmp.Or(u.Reason, SameCode) }
