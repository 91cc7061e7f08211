// Package sidebyside measures the reference services beside the libraries that a Go programmer would otherwise take:
// framed is server CPU per request at several depths, stuck the memory of the same servers under clients that never
// read, rpc the CPU of client and server per call, tls the memory of an idle TLS connection. Everything is built first.
// Then, in each round, every server is started afresh once, in random order, bound to one CPU, with the client on
// another. Ratios are taken within a round, against hone's own service. A peer that answers wrong, or does not build,
// is out; without gcc so is the server in C. The exit code says whether it could measure, not whether the goals are
// met.
package sidebyside

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/internal/sys/machine"
)

// Case is the benchmark.
var Case = bed.Case{Name: "sidebyside", Shows: "the reference services beside the libraries that do the same",
	Takes: "40 minutes", Needs: "gcc for the server in C", Run: run}

// kind is one of the things that can be measured.
type kind struct {
	name string
	// rounds unless the flag says otherwise; 6 are the fewest that have an interval.
	rounds   int
	contests func(*lab) []*contest
}

var kinds = []kind{
	{name: "framed", rounds: 15, contests: framedContests},
	{name: "stuck", rounds: 6, contests: stuckContests},
	{name: "rpc", rounds: 10, contests: rpcContests},
	{name: "tls", rounds: 6, contests: tlsContests},
}

type config struct {
	*bed.Bed
	kinds                []kind
	rounds               int
	window, warm         time.Duration
	serverCPU, clientCPU int
	conns                int
	depths               []int
	callers, rpcConns    int
	idle                 int
	idleRateHz           float64
	idleFor              time.Duration
}

func parse(b *bed.Bed) config {
	c := config{Bed: b}
	bed.Choice(b.Flags, &c.kinds, "what", "framed,stuck,rpc,tls", "measure", kinds,
		func(k kind) string { return k.name }, "what to measure")
	b.IntVar(&c.rounds, "rounds", 0,
		"rounds; 0 means 15 for framed, 10 for rpc, 6 for stuck and tls; under 6 there are no intervals")
	b.DurationVar(&c.window, "d", 2*time.Second, "how long each server is measured in a round; twice as long for stuck")
	b.DurationVar(&c.warm, "warm", 300*time.Millisecond, "load before a framed server is measured")
	b.IntVar(&c.serverCPU, "server-cpu", 1, "CPU of the servers")
	b.IntVar(&c.clientCPU, "client-cpu", 0, "CPU of the clients")
	b.IntVar(&c.conns, "c", 100, "connections to a framed server")
	b.Ints(&c.depths, "depths", "1,16,256", 1, "requests outstanding per framed connection")
	b.IntVar(&c.callers, "callers", 500, "callers at a time of an rpc server")
	b.IntVar(&c.rpcConns, "rpc-conns", 2, "connections that they share, where a library can share one")
	b.IntVar(&c.idle, "idle", 1000, "idle TLS connections")
	b.Float64Var(&c.idleRateHz, "idle-rate", 100, "requests per second over all of them")
	b.DurationVar(&c.idleFor, "idle-for", 10*time.Second, "how long these requests are sent")
	b.Read()
	for name, n := range map[string]int{"c": c.conns, "callers": c.callers, "rpc-conns": c.rpcConns, "idle": c.idle} {
		b.Want(n > 0, "-%s is %d, want 1 or more", name, n)
	}
	b.Want(c.rounds >= 0, "-rounds is %d, want 0 or more", c.rounds)
	b.Want(c.window >= 100*time.Millisecond, "-d is %v, want 100ms or more", c.window)
	b.Want(c.warm >= 0 && c.idleFor >= 0 && c.idleRateHz >= 0, "want -warm, -idle-for and -idle-rate of 0 or more")
	b.Want(c.serverCPU >= 0 && c.clientCPU >= 0 && c.serverCPU != c.clientCPU,
		"-server-cpu is %d and -client-cpu %d, want two CPUs", c.serverCPU, c.clientCPU)
	return c
}

// lab is what all measurements share.
type lab struct {
	config
	dir     string // of what was built
	built   map[program]built
	skipped []skip
}

func run(ctx context.Context, b *bed.Bed) error {
	c := parse(b)
	if err := b.Start(ctx); err != nil {
		return err
	}
	l := &lab{config: c, dir: b.Dir}
	if err := l.build(ctx); err != nil {
		return err
	}
	// After the builds, which may use all CPUs: what starts from here on is on the
	// client's CPU unless it is told otherwise, and so is the load engine in this process.
	if err := proc.PinSelf(c.clientCPU); err != nil {
		return err
	}
	for _, s := range l.skipped {
		b.With = append(b.With, fmt.Sprintf("without %s: %s", s.Name, s.Reason))
	}
	gauge := machine.OpenGauge()
	defer gauge.Close()
	for _, k := range c.kinds { // each takes minutes: what there is is shown if a later one fails
		if err := l.measure(ctx, k, gauge); err != nil {
			return err
		}
	}
	return nil
}

// measure measures one kind.
func (l *lab) measure(ctx context.Context, k kind, gauge *machine.Gauge) error {
	before := gauge.Read()
	contests := k.contests(l)
	for _, c := range contests {
		l.enter(c)
	}
	if err := hold(ctx, k.name, cmp.Or(l.rounds, k.rounds), contests); err != nil {
		return err
	}
	conditions := gauge.Read().Since(before)
	for _, c := range contests {
		if err := c.judge(); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		c.show(l.Result).Say("%d rounds, %s", c.Rounds, conditions)
	}
	return nil
}
