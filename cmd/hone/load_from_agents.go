package main

import (
	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
)

// loadFromAgents has a load test carried out by agents.
func (a *commands) loadFromAgents(f *spec.Spec, t *loadtest.Tester, task loadtest.Task) (*loadtest.Result, error) {
	for flag, given := range map[string]bool{"--calibrate": f.CalibrateFirst, "source": f.SourceWords != ""} {
		if given {
			return nil, fail.New(fail.BadInput, "%s does not work with --agents",
				flag).WithHint("leave it out, or load from this machine")
		}
	}
	c, err := a.Coordinator(f.Load, t, f.Ledger)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if t.Ledger != nil { // so that pages show the test from its beginning; what fails here is told at its end
		if store, err := t.Ledger(); err == nil {
			store.Close()
		}
	}
	if len(task.FindMax) > 0 {
		return c.FindMax(a.Ctx, a.Hard, task)
	}
	return c.Run(a.Ctx, a.Hard, task)
}
