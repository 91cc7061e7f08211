package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/side"
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
	clients := map[*entrant][]string{} // arguments of each one's client
	entrants := []*entrant{
		{name: namePipelined, program: progRPC, args: []string{"-stage", "pipelined"}, note: conns(l.rpcConns)},
		{name: nameNaive, program: progRPC, args: []string{"-stage", "naive"}, note: conns(l.callers)},
	}
	clients[entrants[0]] = []string{"-stage", "pipelined", "-conns", strconv.Itoa(l.rpcConns)}
	clients[entrants[1]] = []string{"-stage", "naive"}
	add := func(name string, p *program, n int) {
		e := &entrant{name: name, program: p, args: []string{"-mode", "server"}, note: conns(n)}
		clients[e] = []string{"-mode", "client", "-conns", strconv.Itoa(n)}
		entrants = append(entrants, e)
	}
	for _, p := range sharing {
		add(p.name, p.program, l.rpcConns)
	}
	add(nameDrpc, progDrpc, l.callers) // one call at a time on each
	return []*contest{{
		name:    "rpc",
		measure: "CPU time of client and server together per call",
		unit:    "ns",
		beside:  []string{"calls/s", "server ns", "client ns"},
		setting: fmt.Sprintf("%d callers, \"hello\" answered by \"world\"; about %v a round after warming up, the client's start included",
			l.callers, l.window),
		entrants: l.enter(entrants...),
		run:      func(ctx context.Context, e *entrant) (sample, error) { return l.call(ctx, e, clients[e]) },
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
func (l *lab) call(ctx context.Context, e *entrant, client []string) (sample, error) {
	s, err := l.start(ctx, e)
	if err != nil {
		return sample{}, err
	}
	defer s.stop()
	total := warmCalls
	for {
		r, _, err := l.callTotal(ctx, e, s, client, total)
		if err != nil {
			return sample{}, fmt.Errorf("warm up: %w", errors.Join(err, s.fault()))
		}
		if r.took() >= l.window/4 {
			total = int(r.perSecond * l.window.Seconds())
			break
		}
		total *= 4
	}
	before, err := side.CPUTime(s.Pid())
	if err != nil {
		return sample{}, err
	}
	r, clientCPU, err := l.callTotal(ctx, e, s, client, total)
	if err != nil {
		return sample{}, errors.Join(err, s.fault())
	}
	after, err := side.CPUTime(s.Pid())
	if err != nil {
		return sample{}, err
	}
	server, own := float64(after-before)/float64(total), float64(clientCPU)/float64(total)
	return sample{value: server + own, beside: []float64{r.perSecond, server, own}}, nil
}

// callTotal runs the client once, and returns its CPU time too. All calls must succeed.
func (l *lab) callTotal(ctx context.Context, e *entrant, s *server, client []string, total int) (callReport, time.Duration, error) {
	program, target := e.program, "-addr"
	if e.program == progRPC {
		program, target = progRPCBench, "-target"
	}
	args := append(client[:len(client):len(client)], target, s.addr,
		"-concurrency", strconv.Itoa(l.callers), "-total", strconv.Itoa(total))
	child, err := side.Start(ctx, l.clientCPU, l.built[program].path, side.Command{Args: args})
	if err != nil {
		return callReport{}, 0, err
	}
	done, err := child.Wait()
	if err != nil {
		return callReport{}, 0, err
	}
	r, err := parseCalls(done.Stdout)
	if err == nil && r.succeeded != total {
		err = fmt.Errorf("%d of %d calls succeeded", r.succeeded, total)
	}
	return r, done.CPU, err
}

// callReport is what a client prints.
type callReport struct {
	succeeded int
	perSecond float64
}

func (r callReport) took() time.Duration {
	return time.Duration(float64(r.succeeded) / r.perSecond * float64(time.Second))
}

var (
	succeededLine = regexp.MustCompile(`(?m)^succeeded +(\d+)$`)
	rateLine      = regexp.MustCompile(`(?m)^throughput \(TPS\) +(\d+)$`)
)

// parseCalls reads the report of rpcbench and of the peers.
func parseCalls(text []byte) (callReport, error) {
	var r callReport
	succeeded, rate := succeededLine.FindSubmatch(text), rateLine.FindSubmatch(text)
	if succeeded == nil || rate == nil {
		return r, fmt.Errorf("read the client's report: no succeeded or throughput in %q", text)
	}
	var faults [2]error
	r.succeeded, faults[0] = strconv.Atoi(string(succeeded[1]))
	r.perSecond, faults[1] = strconv.ParseFloat(string(rate[1]), 64)
	if err := errors.Join(faults[:]...); err != nil {
		return r, fmt.Errorf("read the client's report: %w", err)
	}
	if r.succeeded < 1 || r.perSecond < 1 {
		return r, fmt.Errorf("read the client's report: %d calls succeeded, %.0f a second", r.succeeded, r.perSecond)
	}
	return r, nil
}
