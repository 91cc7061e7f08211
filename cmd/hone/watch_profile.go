package main

import (
	"context"
	"errors"
	"time"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/pull"
	"github.com/gohone/hone/internal/conduct/watch"
	"github.com/gohone/hone/internal/program/pprofhttp"
	"github.com/gohone/hone/internal/store/ledger"
)

// watchProfileTime is how long the CPU profiles take together that a key asks for.
const watchProfileTime = 5 * time.Second

// startWatched builds and starts the package.
func (a *commands) startWatched(f *watchFlags, word string, args []string) (*watch.Started, error) {
	guard, dir, err := app.StartFrom()
	if err != nil {
		return nil, err
	}
	progress := a.Progress(false)
	defer progress.Clear()
	return watch.Start(a.Ctx, watch.Launch{
		Word: word, Args: args, NoInject: f.noInject, Guard: guard, WorkDir: dir,
		Say: func(phase string) { progress.Phase(phase, 0) },
	})
}

// watchProfiles says how the profiles of what is watched are taken, or why there are none.
func (a *commands) watchProfiles(f *watchFlags) {
	c := &f.config
	switch {
	case c.Started != nil && c.Started.Probed():
		c.Profile = func(ctx context.Context) (string, []string, error) {
			captures, warnings, err := c.Started.Captures(ctx, watchProfileTime)
			if err != nil {
				return "", nil, err
			}
			id, err := a.keep(f.Ledger, func(l pull.Store) (string, error) {
				return l.Import(ledger.Run{Label: "watch " + c.Target.Word}, "", captures)
			})
			return id, warnings, err
		}
	case c.Target.Pages != "":
		c.Profile = func(ctx context.Context) (id string, warnings []string, err error) {
			service, err := pprofhttp.New(c.Target.Pages)
			if err != nil {
				return "", nil, err
			}
			taken := pull.Take(ctx, a.Progress(true), pull.Remote{Service: service, CPUTime: watchProfileTime})
			id, err = a.keep(f.Ledger, func(l pull.Store) (id string, err error) {
				id, warnings, err = l.Keep(taken)
				return id, err
			})
			return id, warnings, err
		}
	default:
		c.NoProfile = "there is no probe, and no address of net/http/pprof: name it with --pprof"
	}
}

// keep stores something in the ledger, which is open only meanwhile: a watch may last for
// hours, and others want to write, too.
func (a *commands) keep(dir string, store func(pull.Store) (string, error)) (string, error) {
	l, err := ledger.OpenWith(dir, ledger.Options{Wait: watch.LedgerWait})
	if err != nil {
		return "", err
	}
	id, err := store(pull.Store{Ledger: l, Version: app.Version()})
	return id, errors.Join(err, l.Close())
}
