// Package loadtest conducts one load test of something that already runs: preflight,
// connect, warm up, load as the schedule says, judge. It decides nothing about wire
// protocols, formats of files or words on a screen.
package loadtest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
)

// Task is one load test: what is asked for of it, and where it is kept.
type Task struct {
	spec.Load
	spec.Sending
	spec.Test
	// File is for the raw recording; empty keeps none.
	File string
	// Command is the command line that asked for this; nil: not known.
	Command spec.Line
}

// Validate reports all faults of the task at once.
func (r Task) Validate() error {
	var faults []error
	say := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if r.WarmUp < 0 {
		say("warm-up is %v, want 0 or more", r.WarmUp)
	}
	if r.Drain <= 0 {
		say("drain is %v, want more than 0", r.Drain)
	}
	if r.Interval < 0 {
		say("interval is %v, want 0 or more", r.Interval)
	}
	faults = append(faults, r.Plan.Validate(), r.Schedule.Validate())
	if err := errors.Join(faults...); err != nil {
		return fail.New(fail.BadInput, "%w", err)
	}
	return nil
}

// Tester is what load tests share.
type Tester struct {
	// Version is hone's, for the record.
	Version string
	// Progress hears what is going on.
	Progress progress.Sink
	// Wall is the time of day; nil means the system's. Durations never come from it.
	Wall func() time.Time
	// Begin, if it is not nil, waits between the warm-up and the measurement for the moment when others begin, too. Its
	// error ends the test.
	Begin func(context.Context) error
	// Guard, if it is not nil, may refuse addresses, see schemes.Target.Guard.
	Guard func(network, address string) error
	// Ledger opens the ledger that tests are kept in, as runs; nil keeps them nowhere. Where it
	// fails the test goes on, and Progress is warned.
	Ledger func() (*ledger.Ledger, error)
}
