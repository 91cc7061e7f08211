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
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/internal/machine"
)

func main() { side.Main("sidebyside", parse, run) }

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

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("sidebyside")
	side.Choice(fs, &c.kinds, "what", "framed,stuck,rpc,tls", "measure", kinds, func(k kind) string { return k.name }, "what to measure")
	fs.IntVar(&c.rounds, "rounds", 0, "rounds; 0 means 15 for framed, 10 for rpc, 6 for stuck and tls; under 6 there are no intervals")
	fs.DurationVar(&c.window, "d", 2*time.Second, "how long each server is measured in a round; twice as long for stuck")
	fs.DurationVar(&c.warm, "warm", 300*time.Millisecond, "load before a framed server is measured")
	fs.IntVar(&c.serverCPU, "server-cpu", 1, "CPU of the servers")
	fs.IntVar(&c.clientCPU, "client-cpu", 0, "CPU of the clients")
	fs.IntVar(&c.conns, "c", 100, "connections to a framed server")
	fs.Ints(&c.depths, "depths", "1,16,256", 1, "requests outstanding per framed connection")
	fs.IntVar(&c.callers, "callers", 500, "callers at a time of an rpc server")
	fs.IntVar(&c.rpcConns, "rpc-conns", 2, "connections that they share, where a library can share one")
	fs.IntVar(&c.idle, "idle", 1000, "idle TLS connections")
	fs.Float64Var(&c.idleRateHz, "idle-rate", 100, "requests per second over all of them")
	fs.DurationVar(&c.idleFor, "idle-for", 10*time.Second, "how long these requests are sent")
	fs.StringVar(&c.json, "json", "", "`file` to write the results to as JSON too")
	fs.Read(args)
	for name, n := range map[string]int{"c": c.conns, "callers": c.callers, "rpc-conns": c.rpcConns, "idle": c.idle} {
		fs.Want(n > 0, "-%s is %d, want 1 or more", name, n)
	}
	fs.Want(c.rounds >= 0, "-rounds is %d, want 0 or more", c.rounds)
	fs.Want(c.window >= 100*time.Millisecond, "-d is %v, want 100ms or more", c.window)
	fs.Want(c.warm >= 0 && c.idleFor >= 0 && c.idleRateHz >= 0, "want -warm, -idle-for and -idle-rate of 0 or more")
	fs.Want(c.serverCPU >= 0 && c.clientCPU >= 0 && c.serverCPU != c.clientCPU,
		"-server-cpu is %d and -client-cpu %d, want two CPUs", c.serverCPU, c.clientCPU)
	return c, fs.Faults()
}

// lab is what all measurements share.
type lab struct {
	config
	dir     string // of what was built
	built   map[program]built
	skipped []skip
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
	if err := proc.PinSelf(c.clientCPU); err != nil {
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
		contests, err := l.measure(ctx, k, gauge)
		if err != nil {
			return err
		}
		doc.Contests = append(doc.Contests, contests...)
		// Each kind takes minutes: what there is is kept if a later one fails.
		if err := doc.write(c.json); err != nil {
			return err
		}
	}
	return nil
}

// measure measures one kind and prints its tables.
func (l *lab) measure(ctx context.Context, k kind, gauge *machine.Gauge) ([]*contest, error) {
	rounds := cmp.Or(l.rounds, k.rounds)
	before := gauge.Read()
	contests := k.contests(l)
	for _, c := range contests {
		l.enter(c)
	}
	if err := hold(ctx, k.name, rounds, contests); err != nil {
		return nil, err
	}
	conditions := gauge.Read().Since(before)
	fmt.Printf("\n%s: rounds %d, %s\n", k.name, rounds, conditions)
	for _, c := range contests {
		if err := c.judge(); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		c.Kind, c.Conditions = k.name, conditions
		if err := c.print(os.Stdout); err != nil {
			return nil, fmt.Errorf("write the table: %w", err)
		}
	}
	return contests, nil
}

// schema of the document; its number grows when a field changes its meaning.
const schema = "hone.sidebyside/1"

// document is all results of one run, for pages made from them later.
type document struct {
	Schema     string              `json:"schema"`
	Date       time.Time           `json:"date"`
	Machine    machine.Description `json:"machine"`
	Command    string              `json:"command"`
	ServerCPU  int                 `json:"server_cpu"`
	ClientCPU  int                 `json:"client_cpu"`
	Confidence float64             `json:"confidence"`
	Skipped    []skip              `json:"skipped,omitempty"`
	Contests   []*contest          `json:"contests"`
}

func newDocument(l *lab) *document {
	return &document{
		Schema: schema, Date: time.Now().UTC().Truncate(time.Second), Machine: machine.Describe(),
		Command:   "sidebyside " + strings.Join(os.Args[1:], " "),
		ServerCPU: l.serverCPU, ClientCPU: l.clientCPU, Confidence: figures.Confidence, Skipped: l.skipped,
		Contests: []*contest{},
	}
}

// write writes it to a file; an empty name is none.
func (d *document) write(name string) error {
	if name == "" {
		return nil
	}
	text, err := json.MarshalIndent(d, "", "  ")
	if err == nil {
		err = os.WriteFile(name, append(text, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	return nil
}
