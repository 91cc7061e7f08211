package main

import (
	"context"

	"github.com/gohone/hone/internal/conduct/fleet"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// coordinator is one for the agents that a --agents flag chooses. t makes the results; ledger is the directory of the ledger. stop
// ends its link.
func (f *linkFlags) coordinator(agents string, t *loadtest.Tester, ledger string) (c *fleet.Coordinator, stop func(), err error) {
	choice, err := parseChoice(agents)
	if err != nil {
		return nil, nil, err
	}
	keys, err := fleet.UserKeys()
	if err != nil {
		return nil, nil, err
	}
	link, stop, err := f.coordinate(keys)
	if err != nil {
		return nil, nil, err
	}
	return &fleet.Coordinator{Tester: t, Link: link, Signer: keys.Signer, Choice: choice, Dir: ledger}, stop, nil
}

// loadFromAgents has a load test carried out by agents.
func (a *app) loadFromAgents(f *loadFlags, t *loadtest.Tester, limits []limit.Threshold) (*loadtest.Result, error) {
	for flag, given := range map[string]bool{"--calibrate": f.Calibrate, "source": f.Addresses != ""} {
		if given {
			return nil, fail.New(fail.BadInput, "%s does not work with --agents", flag).WithHint("leave it out, or load from this machine")
		}
	}
	c, stop, err := (*linkFlags)(&f.Link).coordinator(f.Agents, t, f.Ledger)
	if err != nil {
		return nil, err
	}
	defer stop()
	if t.Ledger != nil { // so that pages show the test from its beginning; what fails here is told at its end
		if store, err := t.Ledger(); err == nil {
			store.Close()
		}
	}
	c.KeepGoing = f.Link.KeepGoing
	if len(limits) > 0 {
		return c.FindMax(a.ctx, a.hard, f.request, limits, f.shape.Duration)
	}
	return c.Run(a.ctx, a.hard, f.request)
}

// withAgents lets do measure programs that agents load, if the user wants them.
func (a *app) withAgents(f *measureFlags, l *lab.Lab, do func(*lab.Lab) error) error {
	if f.Agents == "" {
		return do(l)
	}
	c, stop, err := (*linkFlags)(&f.Link).coordinator(f.Agents, &loadtest.Tester{Version: version(), Progress: l.Progress}, f.Ledger)
	if err != nil {
		return err
	}
	defer stop()
	group, err := c.Group(a.ctx)
	if err != nil {
		return err
	}
	open := func(ctx context.Context, target string, o wire.Options, plan load.Plan) (lab.Loader, error) {
		session, err := group.Open(ctx, target, o, plan)
		if err != nil {
			return nil, err // not a Loader that is not a session
		}
		return session, nil
	}
	f.request.Agents = &lab.Agents{Names: group.Names(), Open: open, Apart: group.Apart}
	return do(l)
}
