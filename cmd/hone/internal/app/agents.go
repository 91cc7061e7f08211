package app

import (
	"context"

	"github.com/gohone/hone/internal/conduct/agents"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/spec/extension"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// Coordinator starts one for the agents that --agents chooses. t makes the results; ledger is the directory of the
// ledger.
func (a *App) Coordinator(l spec.Load, t *loadtest.Tester, ledger string) (*agents.Coordinator, error) {
	cmd, err := extension.Agent.Command(cli.ThisBuild(), "coordinate")
	if err != nil {
		return nil, err
	}
	return agents.Start(a.Ctx, a.Hard, cmd, agents.Setup{Link: l.Link, Choice: l.AgentChoice, Version: Version(),
		Dir: ledger}, t)
}

// withAgents lets do measure programs that agents load, if the user wants them.
func (a *App) withAgents(f *MeasureFlags, l *lab.Lab, do func(*lab.Lab) error) error {
	if f.AgentChoice == "" {
		return do(l)
	}
	c, err := a.Coordinator(f.Load, &loadtest.Tester{Version: Version(), Progress: l.Progress}, f.Ledger)
	if err != nil {
		return err
	}
	defer c.Close()
	group, err := c.Group(a.Ctx)
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
	f.Task.Agents = &lab.Agents{Names: group.Names(), Open: open, Apart: group.Apart}
	return do(l)
}
