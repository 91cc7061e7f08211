package main

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/internal/protocol"
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
	progFramed  = own("./services/framed/cmd/framed")
	progGnet    = peer("./framed/gnet", "github.com/panjf2000/gnet/v2")
	progNetpoll = peer("./framed/netpoll", "github.com/cloudwego/netpoll")
	progNbio    = peer("./framed/nbio", "github.com/lesismal/nbio")
	progEvio    = peer("./framed/evio", "github.com/tidwall/evio")
	progEpoll   = peer("framed/epollc/server.c", "")
)

func framedPrograms() []*program {
	return []*program{progFramed, progGnet, progNetpoll, progNbio, progEvio, progEpoll}
}

func (l *lab) framedEntrants() []*entrant {
	return l.enter(
		&entrant{name: nameReactor, program: progFramed, args: []string{"-stage", "reactor"}},
		&entrant{name: "framed batched", program: progFramed, args: []string{"-stage", "batched"}},
		&entrant{name: nameGnet, program: progGnet},
		&entrant{name: nameNetpoll, program: progNetpoll},
		&entrant{name: nameNbio, program: progNbio},
		&entrant{name: nameEvio, program: progEvio},
		&entrant{name: nameEpoll, program: progEpoll, note: "the floor"},
	)
}

func framedContests(l *lab) []*contest {
	var all []*contest
	for _, depth := range l.depths {
		all = append(all, &contest{
			name:    fmt.Sprintf("framed, depth %d", depth),
			measure: "CPU time of the server per right answer",
			unit:    "ns",
			beside:  []string{"answers/s"},
			setting: fmt.Sprintf("%d connections, %d requests outstanding on each, of 37 bytes; %v a round after %v of warming up",
				l.conns, depth, l.window, l.warm),
			entrants: l.framedEntrants(),
			verify:   l.verifyFramed,
			run:      func(ctx context.Context, e *entrant) (sample, error) { return l.loadFramed(ctx, e, depth) },
			goals:    framedGoals,
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

// loadFramed loads e's server by hone's engine in this process, and reads the server's
// CPU clock right before and after: each answer that is counted was made in between.
func (l *lab) loadFramed(ctx context.Context, e *entrant, depth int) (sample, error) {
	s, err := l.start(ctx, e)
	if err != nil {
		return sample{}, err
	}
	defer s.stop()
	target, err := protocol.Parse("framed://"+s.addr, protocol.Options{})
	if err != nil {
		return sample{}, err
	}
	plan := load.Plan{Connections: l.conns, Depth: depth, CPUs: []int{l.clientCPU}, Timeout: drain}
	session, err := load.Open(ctx, plan, target, func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, target.Network, target.Address)
	})
	if err != nil {
		return sample{}, err
	}
	defer session.Close()
	if _, err := allRight(session.Slice(ctx, l.warm, drain)); err != nil {
		return sample{}, fmt.Errorf("warm up: %w", err)
	}
	before, err := side.CPUTime(s.Pid())
	if err != nil {
		return sample{}, err
	}
	slice, err := allRight(session.Slice(ctx, l.window, drain))
	if err != nil {
		return sample{}, err
	}
	after, err := side.CPUTime(s.Pid())
	if err != nil {
		return sample{}, err
	}
	answers := float64(slice.Answered)
	return sample{
		value:  float64(after-before) / answers,
		beside: []float64{answers / slice.Duration.Seconds()},
	}, nil
}

// allRight refuses a slice with anything but right answers.
func allRight(s load.Slice, err error) (load.Slice, error) {
	if err == nil && (s.Failed+s.Unanswered > 0 || s.Answered == 0) {
		err = fmt.Errorf("%d answered right, %d wrong, %d unanswered", s.Answered, s.Failed, s.Unanswered)
	}
	return s, err
}
