package service

import (
	"context"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// agentSlice is the shortest slice from agents: to start them together takes 0.2 s of each, and by how much they begin
// apart is a small part of it.
const agentSlice = 500 * time.Millisecond

// withAgents completes a request whose load comes from agents, and refuses what they cannot do.
func withAgents(r lab.Task) (lab.Task, error) {
	if r.Agents == nil {
		return r, nil
	}
	refuse := func(what, why string) error {
		return fail.New(fail.BadInput, "%s and load from agents (--agents): %s", what,
			why).WithHint("leave one of them out")
	}
	switch {
	case r.LoadCommand.Given():
		return r, refuse("a load command", "agents load with hone's own engine")
	case schemes.OverUnix(r.Target):
		return r, refuse("a Unix socket", "it is of one machine")
	case r.FlightTime > 0:
		return r, refuse("the flight recorder", "an answer is known here only after the recorder has forgotten it")
	}
	r.Slice = max(r.Slice, agentSlice)
	return r, nil
}

// connectAgents takes the place of connect.
func (s *start) connectAgents(ctx context.Context, target string, o wire.Options) error {
	plan := s.task.Plan
	plan.Workers = 0 // each agent takes what its machine has
	session, err := s.task.Agents.Open(ctx, target, o, plan)
	if err != nil {
		return err
	}
	s.session = session
	return nil
}

// ownCPU is the CPU time that the load took on this machine during a slice.
func (s *start) ownCPU(slice load.Slice) time.Duration {
	if far, ok := s.session.(interface{ LocalCPU() time.Duration }); ok {
		return far.LocalCPU()
	}
	return slice.WorkerCPU
}
