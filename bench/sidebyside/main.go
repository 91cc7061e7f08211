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
	"fmt"
	"os"

	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/internal/machine"
)

func main() { side.Main("sidebyside", parse, run) }

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
	gauge := machine.OpenGauge()
	defer gauge.Close()
	doc := newDocument(l)
	if err := doc.write(c.json); err != nil { // rather than after minutes
		return err
	}
	for _, k := range c.kinds {
		results, err := l.measure(ctx, k, gauge)
		if err != nil {
			return err
		}
		doc.Contests = append(doc.Contests, results...)
		// Each kind takes minutes: what there is is kept if a later one fails.
		if err := doc.write(c.json); err != nil {
			return err
		}
	}
	return nil
}

// measure measures one kind and prints its tables.
func (l *lab) measure(ctx context.Context, k kind, gauge *machine.Gauge) ([]*result, error) {
	rounds := l.rounds
	if rounds == 0 {
		rounds = k.rounds
	}
	before := gauge.Read()
	contests := k.contests(l)
	if err := l.hold(ctx, k.name, rounds, contests); err != nil {
		return nil, err
	}
	conditions := gauge.Read().Since(before)
	fmt.Printf("\n%s: rounds %d, %s\n", k.name, rounds, conditions)
	var results []*result
	for _, c := range contests {
		r, err := c.result(k.name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		r.Conditions = conditions
		if err := r.print(os.Stdout); err != nil {
			return nil, fmt.Errorf("write the table: %w", err)
		}
		results = append(results, r)
	}
	return results, nil
}
