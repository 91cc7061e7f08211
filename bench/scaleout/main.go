// Command scaleout measures load from several agents on one machine: the rate of two against one, the CPU time of the
// coordinator for each agent, and what merging the recordings of many agents takes.
//
//	go build -o bin/hone ./cmd/hone
//	cd bench && go run ./scaleout
//
// It needs Linux and two CPUs: the server runs on one, agents and coordinator on the other.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
)

type config struct {
	hone                 string
	serverCPU, clientCPU int
	rounds               int
	rate                 int
	length               time.Duration
	many, slices         int
}

func main() { side.Main("scaleout", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("scaleout")
	fs.Hone(&c.hone)
	fs.CPUs(&c.serverCPU, &c.clientCPU)
	fs.IntVar(&c.rounds, "n", 5, "rounds")
	fs.IntVar(&c.rate, "rate", 4000, "requests per second of each agent")
	fs.DurationVar(&c.length, "d", 20*time.Second, "length of a load")
	fs.IntVar(&c.many, "agents", 100, "simulated agents whose recordings are merged")
	fs.IntVar(&c.slices, "slices", 60, "slices of a second in each of those recordings")
	fs.Read(args)
	fs.Want(c.rounds > 0 && c.rate > 0 && c.length >= time.Second && c.many > 0 && c.slices > 0, "want at least 1 round, 1/s, 1s, 1 agent and 1 slice")
	return c, fs.Faults()
}

func run(ctx context.Context, c config) error {
	side.Header(os.Stdout, nil, nil)
	fmt.Printf("plan      %d rounds of %v; %d requests/s of each agent; server on CPU %d, agents and coordinator on CPU %d\n\n",
		c.rounds, c.length, c.rate, c.serverCPU, c.clientCPU)
	if err := c.together(ctx); err != nil {
		return err
	}
	return c.merge()
}

// together measures one agent and three in turns with two.
func (c config) together(ctx context.Context) (err error) {
	s, err := side.StartServer(ctx, side.NetHTTP, c.serverCPU)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	hone, err := honecli.Find(c.hone)
	if err != nil {
		return err
	}
	agents := []int{1, 2, 3}
	broker, stop, err := hone.Agents(ctx, c.clientCPU, len(agents))
	if err != nil {
		return err
	}
	defer stop()
	type sample struct{ rate, cpu float64 }
	all, err := figures.Sampled(c.rounds, len(agents), func(_, i int) (sample, error) {
		n := agents[i]
		done, err := proc.Run(ctx, c.clientCPU, proc.Command{Program: hone.Program, Args: []string{
			"load", s.URL, "--agents", fmt.Sprintf("n=%d", n), "--broker", broker, "--rate", strconv.Itoa(n * c.rate), "-c", strconv.Itoa(4 * n),
			"-d", c.length.String(), "--no-ledger", "--no-report", "--quiet", "--json", "--fail-if", "errors>0%",
		}})
		if err != nil && done.Code != 4 { // a generator that shares its CPU may be late
			return sample{}, err
		}
		var out struct {
			AchievedHz float64 `json:"achieved_hz"`
		}
		if err := json.Unmarshal(done.Stdout, &out); err != nil {
			return sample{}, fmt.Errorf("read the result of %d agents: %w", n, err)
		}
		return sample{out.AchievedHz, done.CPU.Seconds()}, nil
	})
	if err != nil {
		return err
	}
	rate := func(s sample) float64 { return s.rate }
	one, two := figures.Column(all[0], rate), figures.Column(all[1], rate)
	ratio, err := figures.Paired(one, two)
	if err != nil {
		return err
	}
	var each []float64
	for r := range c.rounds { // two agents more
		each = append(each, (all[2][r].cpu-all[0][r].cpu)/2/c.length.Seconds()*100)
	}
	fmt.Printf("answers/s of one agent                    %s\n", figures.Spread("%.0f", one))
	fmt.Printf("answers/s of two agents                   %s\n", figures.Spread("%.0f", two))
	fmt.Printf("two agents / one                          %v\n", ratio)
	fmt.Printf("coordinator, %% of a CPU for each agent    %s\n", figures.Spread("%.2f", each))
	return nil
}
