package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/gohone/hone/bench/clients"
	"github.com/gohone/hone/bench/proc"
)

const (
	namePipelined = "rpc pipelined"
	nameNaive     = "rpc naive"
	nameDrpc      = "drpc"
)

var (
	progRPC      = own("./services/rpc/cmd/rpc")
	progRPCBench = own("./services/rpc/cmd/rpcbench")
	progDrpc     = peer("./rpc/drpc", "storj.io/drpc")

	// sharing are the peers whose connections carry many calls at a time.
	sharing = []rpcPeer{
		{"valyala/gorpc", peer("./rpc/valyala", "github.com/valyala/gorpc")},
		{"net/rpc", peer("./rpc/netrpc", "")},
		{"ttrpc", peer("./rpc/ttrpc", "github.com/containerd/ttrpc")},
		{"arpc", peer("./rpc/arpc", "github.com/lesismal/arpc")},
		{"kitex", peer("./rpc/kitex", "github.com/cloudwego/kitex")},
		{"rpcx", peer("./rpc/rpcx", "github.com/smallnest/rpcx")},
		{"grpc-go", peer("./rpc/grpc", "google.golang.org/grpc")},
	}
)

// rpcPeer is a program that is both server and client.
type rpcPeer struct {
	name string
	*program
}

func rpcPrograms() []*program {
	all := []*program{progRPC, progRPCBench, progDrpc}
	for _, p := range sharing {
		all = append(all, p.program)
	}
	return all
}

func rpcContests(l *lab) []*contest {
	entrants := []*entrant{
		{Name: namePipelined, program: progRPC, args: []string{"-stage", "pipelined"}, Note: conns(l.rpcConns),
			client: []string{"-stage", "pipelined", "-conns", strconv.Itoa(l.rpcConns)}},
		{Name: nameNaive, program: progRPC, args: []string{"-stage", "naive"}, Note: conns(l.callers), client: []string{"-stage", "naive"}},
	}
	add := func(name string, p *program, n int) {
		entrants = append(entrants, &entrant{Name: name, program: p, args: []string{"-mode", "server"}, Note: conns(n),
			client: []string{"-mode", "client", "-conns", strconv.Itoa(n)}})
	}
	for _, p := range sharing {
		add(p.name, p.program, l.rpcConns)
	}
	add(nameDrpc, progDrpc, l.callers) // one call at a time on each
	return []*contest{{
		Name:    "rpc",
		Measure: "CPU time of client and server together per call",
		Unit:    "ns",
		beside:  []string{"calls/s", "server ns", "client ns"},
		Setting: fmt.Sprintf("%d callers, \"hello\" answered by \"world\"; about %v a round after warming up, the client's start included",
			l.callers, l.window),
		Entrants: l.enter(entrants...),
		run:      l.call,
		goals:    rpcGoals,
	}}
}

// rpcGoals are calls per CPU-second, which is the inverse of what is measured.
func rpcGoals(c *contest) []goal {
	names := make([]string, len(sharing))
	for i, p := range sharing {
		names[i] = p.name
	}
	best := c.best(names...)
	return []goal{
		c.times("6 x the calls per CPU-second of the best peer with as many connections ("+best+")", best, 6),
		c.times("20 x those of the naive stage", nameNaive, 20),
	}
}

func conns(n int) string { return fmt.Sprintf("%d connections", n) }

// warmCalls is how many calls the first warming up makes.
const warmCalls = 5_000

// call has a client call e's server for about the window. How many calls that is, shorter
// runs say, which also warm the server up.
func (l *lab) call(ctx context.Context, e *entrant) (_ sample, err error) {
	s, err := l.start(ctx, e)
	if err != nil {
		return sample{}, err
	}
	defer s.Stop()
	program, target := e.program, "-addr"
	if e.program == progRPC {
		program, target = progRPCBench, "-target"
	}
	client := append(slices.Clone(e.client), target, s.Addr, "-concurrency", strconv.Itoa(l.callers))
	var c clients.Calls
	calls := func(total int) error {
		if c, err = clients.Call(ctx, l.clientCPU, l.built[program].path, total, client...); err != nil {
			err = errors.Join(err, s.Fault())
		}
		return err
	}
	total := warmCalls
	for ; ; total *= 4 {
		if err := calls(total); err != nil {
			return sample{}, fmt.Errorf("warm up: %w", err)
		}
		if took := float64(total) / c.PerSecond; took >= l.window.Seconds()/4 {
			break
		}
	}
	total = int(c.PerSecond * l.window.Seconds())
	used, err := proc.CPUOf(s.Pid(), func() error { return calls(total) })
	if err != nil {
		return sample{}, err
	}
	server, own := float64(used)/float64(total), float64(c.CPU)/float64(total)
	return sample{value: server + own, beside: []float64{c.PerSecond, server, own}}, nil
}
