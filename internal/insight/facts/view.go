package facts

import (
	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/holders"
)

// View is what is known of one run. What was not observed is nil or zero.
type View struct {
	Commands
	code.Tree
	// Captures are the profiles by kind, those of one kind merged.
	Captures map[string]prof.Capture
	// Waits says where the wall time of requests went.
	Waits   *walltime.Digest
	Numbers Numbers
	// Holder holds the most of the memory at the end; nil where that is not known.
	Holder *holders.Holder
	Build  Build

	Spending
	// Missing names what could not be looked at, and why.
	Missing []string

	keptAt     map[string]bool   // by the lines of the user's frames: see Kept
	sameAt     map[callSite]bool // see ComputesSame
	typedAt    map[callSite]bool // see DependsOnType
	referenced []code.Reference  // the user's lines that name functions of libraries; nil before they were looked for
}

// Commands are the commands by which a run is measured again, for the findings that name them.
type Commands struct {
	// Run is the name of the run.
	Run string
	// Compare is the command that compares this run's program with a changed one.
	Compare string
	// Setting is the command that compares this run's program with itself, with one more entry in B's environment;
	// nil where there is none.
	Setting func(entry string) string
	// Completing are the flags, with a space before them, that a command needs beside Run to measure the run again.
	Completing string
	// MeasuredAgain says that Run can be measured again, Rewrites whether the source at a place can be rewritten as
	// a rule says; nil: it cannot.
	MeasuredAgain bool
	Rewrites      func(rule string, at code.Place) bool
}

// Spending is what the profiles of CPU time and of allocations show.
type Spending struct {
	Stacks    []Stack
	Collector float64 // share of the CPU time that the collector takes, assists included
	Marking   float64 // the part of it that each collection takes anew: marking, and assists
	Samples   int64   // of the CPU profile
}

// Build is how the program was built.
type Build struct {
	// Flags are the build flags, Env the variant's environment.
	Flags, Env []string
	// Race and Unoptimised are -race and -gcflags with -N or -l.
	Race, Unoptimised bool
}
