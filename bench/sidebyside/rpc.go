package sidebyside

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
)

// sharing are the peers whose connections carry many calls at a time, with their libraries.
var sharing = []struct{ name, source, module string }{
	{"valyala/gorpc", "./rpc/valyala", "github.com/valyala/gorpc"},
	{"net/rpc", "./rpc/netrpc", ""},
	{"ttrpc", "./rpc/ttrpc", "github.com/containerd/ttrpc"},
	{"arpc", "./rpc/arpc", "github.com/lesismal/arpc"},
	{"kitex", "./rpc/kitex", "github.com/cloudwego/kitex"},
	{"rpcx", "./rpc/rpcx", "github.com/smallnest/rpcx"},
	{"grpc-go", "./rpc/grpc", "google.golang.org/grpc"},
}

func rpcContests(l *lab) []*contest {
	rpc, rpcbench := own("./services/rpc/cmd/rpc"), own("./services/rpc/cmd/rpcbench")
	entrants := []*entrant{
		{Name: namePipelined, program: rpc, args: []string{"-stage", "pipelined"}, Note: conns(l.rpcConns),
			client: rpcbench, clientArgs: []string{"-stage", "pipelined", "-conns", strconv.Itoa(l.rpcConns),
				"-target"}},
		{Name: nameNaive, program: rpc, args: []string{"-stage", "naive"}, Note: conns(l.callers),
			client: rpcbench, clientArgs: []string{"-stage", "naive", "-target"}},
	}
	add := func(name string, both program, n int) { // a peer's program is server and client
		entrants = append(entrants, &entrant{Name: name, program: both, args: []string{"-mode", "server"},
			Note:   conns(n),
			client: both, clientArgs: []string{"-mode", "client", "-conns", strconv.Itoa(n), "-addr"}})
	}
	for _, p := range sharing {
		add(p.name, peer(p.source, p.module), l.rpcConns)
	}
	add("drpc", peer("./rpc/drpc", "storj.io/drpc"), l.callers) // one call at a time on each
	return []*contest{{
		Name:    "rpc",
		Measure: "CPU time of client and server together per call",
		Unit:    "ns",
		beside:  []string{"calls/s", "server ns", "client ns"},
		Setting: fmt.Sprintf("%d callers, \"hello\" answered by \"world\"; about %v a round after warming up, the client's start included",
			l.callers, l.window),
		Entrants: entrants,
		run:      l.fresh(l.call),
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

// call has e's client call the server for about the window. How many calls that is, shorter
// runs say, which also warm the server up.
func (l *lab) call(ctx context.Context, e *entrant, s *proc.Server) (_ sample, err error) {
	args := append(slices.Clone(e.clientArgs), s.Addr, "-concurrency", strconv.Itoa(l.callers))
	var c clients.Calls
	calls := func(total int) error {
		if c, err = clients.Call(ctx, l.clientCPU, l.built[e.client].path, total, args...); err != nil {
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
