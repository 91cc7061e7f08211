// Command sidebyside measures the reference services beside the libraries that a Go
// programmer would otherwise take, in one run on one machine. Run it in the directory
// bench:
//
//	go run ./sidebyside -what framed,stuck,rpc,tls
//
// framed is server CPU per request at several depths, stuck the memory of the same
// servers under clients that never read, rpc the CPU of client and server per call, tls
// the memory of an idle TLS connection. Everything is built first. Then, in each round,
// every server is started afresh once, in random order, bound to one CPU, with the client
// on another. Ratios are taken within a round, against hone's own service.
//
// It needs Linux and two CPUs; without gcc the server in C is left out. The exit code
// says whether it could measure, not whether the goals are met.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/bench/side"
)

type config struct {
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
	json                 string
}

// kind is one of the things that can be measured.
type kind struct {
	name string
	// rounds unless the flag says otherwise; 6 are the fewest that have an interval.
	rounds   int
	programs func() []*program
	contests func(*lab) []*contest
}

var kinds = []kind{
	{name: "framed", rounds: 15, programs: framedPrograms, contests: framedContests},
	{name: "stuck", rounds: 6, programs: framedPrograms, contests: stuckContests},
	{name: "rpc", rounds: 10, programs: rpcPrograms, contests: rpcContests},
	{name: "tls", rounds: 6, programs: tlsPrograms, contests: tlsContests},
}

func main() { side.Main("sidebyside", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := flag.NewFlagSet("sidebyside", flag.ContinueOnError)
	what := fs.String("what", "framed,stuck,rpc,tls", "what to measure, separated by commas")
	fs.IntVar(&c.rounds, "rounds", 0, "rounds; 0 means 15 for framed, 10 for rpc, 6 for stuck and tls; under 6 there are no intervals")
	fs.DurationVar(&c.window, "d", 2*time.Second, "how long each server is measured in a round; twice as long for stuck")
	fs.DurationVar(&c.warm, "warm", 300*time.Millisecond, "load before a framed server is measured")
	fs.IntVar(&c.serverCPU, "server-cpu", 1, "CPU of the servers")
	fs.IntVar(&c.clientCPU, "client-cpu", 0, "CPU of the clients")
	fs.IntVar(&c.conns, "c", 100, "connections to a framed server")
	depths := fs.String("depths", "1,16,256", "requests outstanding per framed connection")
	fs.IntVar(&c.callers, "callers", 500, "callers at a time of an rpc server")
	fs.IntVar(&c.rpcConns, "rpc-conns", 2, "connections that they share, where a library can share one")
	fs.IntVar(&c.idle, "idle", 1000, "idle TLS connections")
	fs.Float64Var(&c.idleRateHz, "idle-rate", 100, "requests per second over all of them")
	fs.DurationVar(&c.idleFor, "idle-for", 10*time.Second, "how long these requests are sent")
	fs.StringVar(&c.json, "json", "", "`file` to write the results to as JSON too")
	if err := fs.Parse(args); err != nil {
		return c, err
	}
	if fs.NArg() > 0 {
		return c, fmt.Errorf("unexpected argument %q: every setting is a flag", fs.Arg(0))
	}
	var faults [3]error
	c.kinds, faults[0] = chooseKinds(*what)
	c.depths, faults[1] = parseDepths(*depths)
	faults[2] = c.validate()
	return c, errors.Join(faults[:]...)
}

// validate reports all faults at once.
func (c config) validate() error {
	var faults []error
	for name, n := range map[string]int{"-c": c.conns, "-callers": c.callers, "-rpc-conns": c.rpcConns, "-idle": c.idle} {
		if n < 1 {
			faults = append(faults, fmt.Errorf("%s is %d, want 1 or more", name, n))
		}
	}
	if c.rounds < 0 {
		faults = append(faults, fmt.Errorf("-rounds is %d, want 0 or more", c.rounds))
	}
	if c.window < 100*time.Millisecond {
		faults = append(faults, fmt.Errorf("-d is %v, want 100ms or more", c.window))
	}
	if c.warm < 0 || c.idleFor < 0 || c.idleRateHz < 0 {
		faults = append(faults, errors.New("want -warm, -idle-for and -idle-rate of 0 or more"))
	}
	if c.serverCPU < 0 || c.clientCPU < 0 || c.serverCPU == c.clientCPU {
		faults = append(faults, fmt.Errorf("-server-cpu is %d and -client-cpu %d, want two CPUs", c.serverCPU, c.clientCPU))
	}
	return errors.Join(faults...)
}

func chooseKinds(names string) ([]kind, error) {
	var chosen []kind
	known := make([]string, len(kinds))
	for i, k := range kinds {
		known[i] = k.name
	}
	for name := range strings.SplitSeq(names, ",") {
		i := slices.Index(known, name)
		if i < 0 {
			return nil, fmt.Errorf("-what has no %q (known: %s)", name, strings.Join(known, ", "))
		}
		chosen = append(chosen, kinds[i])
	}
	return chosen, nil
}

func parseDepths(text string) ([]int, error) {
	var depths []int
	for s := range strings.SplitSeq(text, ",") {
		d, err := strconv.Atoi(s)
		if err != nil || d < 1 {
			return nil, fmt.Errorf("-depths has %q, want a number from 1", s)
		}
		depths = append(depths, d)
	}
	return depths, nil
}

func run(ctx context.Context, c config) error {
	if _, err := os.Stat("peers/go.mod"); err != nil {
		return fmt.Errorf("find the peers: %w (run it in the directory bench)", err)
	}
	dir, err := os.MkdirTemp("", "sidebyside-")
	if err != nil {
		return fmt.Errorf("make build directory: %w", err)
	}
	defer os.RemoveAll(dir)
	l := &lab{config: c, dir: dir}
	if err := l.build(ctx); err != nil {
		return err
	}
	// After the builds, which may use all CPUs: what starts from here on is on the
	// client's CPU unless it is told otherwise, and so is the load engine in this process.
	if err := pinSelf(c.clientCPU); err != nil {
		return err
	}
	side.Header(os.Stdout, nil, nil)
	fmt.Printf("pinned    servers to CPU %d, clients to CPU %d\n", c.serverCPU, c.clientCPU)
	for _, s := range l.skipped {
		fmt.Printf("SKIPPED   %s: %s\n", s.Name, s.Reason)
	}
	doc := newDocument(l)
	for _, k := range c.kinds {
		rounds := c.rounds
		if rounds == 0 {
			rounds = k.rounds
		}
		before := side.ReadCPUTimes()
		contests := k.contests(l)
		if err := l.hold(ctx, k.name, rounds, contests); err != nil {
			return err
		}
		fmt.Printf("\n%s: %d rounds, %s\n", k.name, rounds, side.ReadCPUTimes().Since(before))
		for _, ct := range contests {
			r, err := ct.result(k.name)
			if err != nil {
				return fmt.Errorf("%s: %w", ct.name, err)
			}
			if err := r.print(os.Stdout); err != nil {
				return fmt.Errorf("write the table: %w", err)
			}
			doc.Contests = append(doc.Contests, r)
		}
		// Each kind takes minutes: what there is is kept if a later one fails.
		if err := doc.write(c.json); err != nil {
			return err
		}
	}
	return nil
}
