package sidebyside

import (
	"context"
	"fmt"
	"time"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/load"
)

// drain is how long a server may be silent at the end, with requests outstanding.
const drain = 2 * time.Second

const (
	nameReactor = "framed reactor"
	nameGnet    = "gnet"
	nameNetpoll = "netpoll"
	nameNbio    = "nbio"
	nameEvio    = "evio"
	nameEpoll   = "C epoll"
)

var (
	progFramed = own("./services/framed/cmd/framed")
	progEpoll  = peer("framed/epollc/server.c", "")
)

func framedEntrants() []*entrant {
	return []*entrant{
		{Name: nameReactor, program: progFramed, args: []string{"-stage", "reactor"}},
		{Name: "framed batched", program: progFramed, args: []string{"-stage", "batched"}},
		{Name: nameGnet, program: peer("./framed/gnet", "github.com/panjf2000/gnet/v2")},
		{Name: nameNetpoll, program: peer("./framed/netpoll", "github.com/cloudwego/netpoll")},
		{Name: nameNbio, program: peer("./framed/nbio", "github.com/lesismal/nbio")},
		{Name: nameEvio, program: peer("./framed/evio", "github.com/tidwall/evio")},
		{Name: nameEpoll, program: progEpoll, Note: "the floor"},
	}
}

func framedContests(l *lab) []*contest {
	var all []*contest
	for _, depth := range l.depths {
		all = append(all, &contest{
			Name:    fmt.Sprintf("framed, depth %d", depth),
			Measure: "CPU time of the server per right answer",
			Unit:    "ns",
			beside:  []string{"answers/s"},
			Setting: fmt.Sprintf("%d connections, %d requests outstanding on each, of 37 bytes; %v a round after %v of warming up",
				l.conns, depth, l.window, l.warm),
			Entrants: framedEntrants(),
			verify:   l.verifyFramed,
			run: l.fresh(func(ctx context.Context, _ *entrant, s *proc.Server) (sample, error) {
				return l.loadFramed(ctx, s, depth)
			}),
			goals: framedGoals,
		})
	}
	return all
}

// framedGoals: not slower than the best event loop in Go, within 10 % of one in C.
func framedGoals(c *contest) []goal {
	best := c.best(nameGnet, nameNetpoll, nameNbio, nameEvio)
	return []goal{
		c.times("the best Go peer takes no less ("+best+")", best, 1),
		c.times("within 10 % of C epoll", nameEpoll, 1/1.1),
	}
}

// loadFramed loads a server by hone's engine in this process, and reads the server's
// CPU clock right before and after: each answer that is counted was made in between.
func (l *lab) loadFramed(ctx context.Context, s *proc.Server, depth int) (sample, error) {
	plan := load.Plan{Connections: l.conns, Depth: depth, CPUs: []int{l.clientCPU}, Timeout: drain}
	session, err := honecli.OpenEngine(ctx, "framed://"+s.Addr, plan)
	if err != nil {
		return sample{}, err
	}
	defer session.Close()
	if _, err := honecli.RightSlice(session.Slice(ctx, l.warm, drain)); err != nil {
		return sample{}, fmt.Errorf("warm up: %w", err)
	}
	var slice load.Slice
	used, err := proc.CPUOf(s.Pid(), func() (err error) {
		slice, err = honecli.RightSlice(session.Slice(ctx, l.window, drain))
		return err
	})
	if err != nil {
		return sample{}, err
	}
	answers := float64(slice.Answered)
	return sample{value: float64(used) / answers, beside: []float64{answers / slice.Duration.Seconds()}}, nil
}
