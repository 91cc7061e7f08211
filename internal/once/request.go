package once

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/progress"
	"github.com/gohone/hone/internal/subject"
)

// Conductor carries measurements out and stores them.
type Conductor struct {
	// Ledger stores the runs. It must be open for writing.
	Ledger *ledger.Ledger
	// Guard is the argv that runs subject.Guard in a child process.
	Guard []string
	// WorkDir is the working directory of hone: what relative paths and git refs refer to, and
	// where programs run unless the request names a directory.
	WorkDir string
	// Progress hears what is going on; it is called from one goroutine.
	Progress progress.Sink
	// Hard, when cancelled, kills the program without grace. The context of Measure ends
	// it gently.
	Hard context.Context
	// Version is hone's own version, for the record.
	Version string
}

// Request says what to measure. One variant makes a run, more a comparison of each with
// the first.
type Request struct {
	// Variants are main packages, which are built, or programs: see Locate.
	Variants []subject.Variant
	// Args are for all variants, behind their own.
	Args []string
	// Dir is the directory that all programs run in; empty: Conductor.WorkDir.
	Dir string
	// KeepEnv stores and prints the values of the variants' environment as they are.
	KeepEnv bool
	// Count is how many executions of a run are timed.
	Count int
	// Budget is the most time that the rounds of a comparison may take; it ends sooner
	// where it can.
	Budget time.Duration
	// MaxTime ends an execution that takes longer; 0 is no bound.
	MaxTime time.Duration
	// Grace is the time between TERM and KILL; 0 takes that of package subject.
	Grace time.Duration
	// Gates end a comparison as soon as all of them are settled, and are judged by it.
	Gates []compare.Gate
	// Alpha is the level of the test, Delta the tolerance of "same", as fractions; 0
	// takes the default of package compare.
	Alpha, Delta float64
	// Seed draws the order of the executions.
	Seed uint64
	// NoProfile leaves the execution with profiles out.
	NoProfile bool
	// ProfileRate is how many ticks per second of CPU time the CPU profile has; 0 is the
	// usual 100.
	ProfileRate int
	// Stdout and Stderr, if not nil, get what the timed executions write.
	Stdout, Stderr io.Writer
}

const (
	// MostVariants is how many variants a comparison can have: they are called A to Z.
	MostVariants = 26
	// mostExecutions bounds what a document lists.
	mostExecutions = 10_000
	// mostTicks is what the probe allows per second of CPU time.
	mostTicks = 10_000
)

// Validate reports all faults of the request at once.
func (r Request) Validate() error {
	var faults []error
	say := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	switch n := len(r.Variants); {
	case n < 1 || n > MostVariants:
		say("%d programs, want one (a run) to %d (a comparison)", n, MostVariants)
	case n == 1 && (r.Count < 1 || r.Count > mostExecutions):
		say("%d executions, want 1 to %d", r.Count, mostExecutions)
	case n > 1 && r.Budget <= 0:
		say("budget is %v, want more than 0", r.Budget)
	}
	if r.MaxTime < 0 {
		say("most time of an execution is %v, want more than 0, or 0 for no bound", r.MaxTime)
	}
	if r.Grace < 0 {
		say("grace is %v, want 0 or more", r.Grace)
	}
	if r.ProfileRate < 0 || r.ProfileRate > mostTicks {
		say("profile rate is %d ticks per second, want up to %d, 0 for the usual 100", r.ProfileRate, mostTicks)
	}
	return errors.Join(append(faults, r.options().Validate())...)
}

// question is what a comparison is to answer.
func (r Request) question() compare.Question {
	q := compare.Question{Gated: CPU, Measures: Measures, Gates: r.Gates, Options: r.options(), Budget: r.Budget}
	for _, v := range r.Variants[1:] {
		q.Variants = append(q.Variants, v.Name)
	}
	return q
}

func (r Request) options() compare.Options {
	return compare.Options{Alpha: r.Alpha, Delta: r.Delta}
}
