package subject

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/text/fail"
)

// StartOnce starts a program that is to end by itself, and returns as soon as it is
// executed: it need not listen on anything, and Target and Isolate mean nothing. Done,
// Ending and Stop say the rest. Errors are those of Start.
func StartOnce(ctx context.Context, b *build.Binary, o StartOptions) (*Process, error) {
	o.Target, o.Isolate = "", false
	p := newProcess(b, o)
	p.name = cmp.Or(filepath.Base(b.Path), p.name)
	if err := p.begin(ctx, true); err != nil {
		return nil, err
	}
	<-p.started // it comes in any case: see watch
	if p.fault != nil {
		fault := p.startError()
		if _, err := p.Stop(ctx); err != nil {
			fault = errors.Join(fault, err)
		}
		return nil, fault
	}
	return p, nil
}

// Ending is how the main process ended, and what was spent by then. It must not be asked
// before Done is closed. The error is a *fail.Error: Subject, with the end of what the
// program wrote, if it was ended by a signal or its exit code is not 0, whatever caused
// that; Environment if its guard died, and nothing is known.
func (p *Process) Ending() (usage.Spent, error) {
	switch {
	case p.lost:
		return usage.Spent{}, fail.New(fail.Environment, "%s was lost: %w", p.name, guard.ErrLost)
	case p.exit != (guard.ExitStatus{}):
		return p.spent, fail.New(fail.Subject, "%s %s%s", p.name, p.exit, p.lastWords())
	}
	return p.spent, nil
}
