// Package lab has what all measurements of programs have in common, under load (package service) or to their end
// (package once): where they take place, what is to be measured (Task), the variants as they were built, the rows of
// the ledger, and the comparison of each variant with the first. It also makes the task of a stored run again.
package lab

import (
	"context"
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/progress"
)

// Lab is where measurements take place.
type Lab struct {
	// Ledger stores the runs. It must be open for writing.
	Ledger *ledger.Ledger
	// Guard is the argv that runs guard.Run in a child process.
	Guard []string
	// WorkDir is what relative package directories and git refs refer to.
	WorkDir string
	// Worktrees is where checkouts of refs are kept; empty is hone's cache.
	Worktrees string
	// Progress hears what is going on; it is called from one goroutine.
	Progress progress.Sink
	// Hard, when cancelled, ends everything at once: subjects are killed without
	// grace. The context of Measure ends a measurement gently.
	Hard context.Context
	// Version is hone's own version, for the record.
	Version string
	// Built are programs that were built before: a variant that would be built like one of
	// them takes it. Their files must stay until Measure returns.
	Built []*build.Binary
	// Wall is the time of day; nil means the system's. Durations never come from it.
	Wall func() time.Time
	// Recorder is the argv that runs recorder.Main in a child process. Empty records no metrics.
	Recorder []string
}
