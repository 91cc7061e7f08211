package subject

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/text/fail"
)

// StartOnce starts a program that is to end by itself, and returns as soon as it is
// executed: it need not listen on anything, and Target and Isolate mean nothing. Done,
// Ending and Stop say the rest. Errors are those of Start.
func StartOnce(ctx context.Context, b *build.Binary, o StartOptions) (*Process, error) {
	o.Target, o.Isolate = "", false
	plan := newPrepared(b, o, templates.FreePort)
	plan.name = cmp.Or(filepath.Base(b.Path), plan.name)
	r, err := plan.begin(ctx, true)
	if err != nil {
		return nil, err
	}
	<-r.begun.happened // it comes in any case: see watch
	if begun, _ := r.begun.known(); begun.fault != nil {
		fault := r.startError(*begun.fault)
		if _, err := r.Stop(ctx); err != nil {
			fault = errors.Join(fault, err)
		}
		return nil, fault
	}
	return &Process{running: r}, nil
}

// Ending is how the main process ended, and what was spent by then. It must not be asked
// before Done is closed. The error is a *fail.Error: Subject, with the end of what the
// program wrote, if it was ended by a signal or its exit code is not 0, whatever caused
// that; Environment if its guard died, and nothing is known.
func (p *running) Ending() (usage.Spent, error) {
	end, _ := p.ended.known()
	switch {
	case end.lost:
		return usage.Spent{}, fail.New(fail.Environment, "%s was lost: %w", p.name, guard.ErrLost)
	case end.exit != (guard.ExitStatus{}):
		return end.spent, fail.New(fail.Subject, "%s %s%s", p.name, end.exit, p.lastWords())
	}
	return end.spent, nil
}
