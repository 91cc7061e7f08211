package cases

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
)

// ScaleOut measures load from several agents on one machine: the rate of two against one, the CPU time of the
// coordinator for each agent, and what merging the recordings of many agents takes. Agents and coordinator share a CPU.
var ScaleOut = bed.Case{Name: "scaleout",
	Shows: "rate of two agents over one, CPU of the coordinator, merging 100 recordings", Takes: "7 minutes",
	Run: measureScaleOut}

func measureScaleOut(ctx context.Context, b *bed.Bed) error {
	b.CPUs()
	b.Turns(5, 20*time.Second)
	rate := b.Int("rate", 4000, "requests per second of each agent")
	many := b.Int("agents", 100, "simulated agents whose recordings are merged")
	slices := b.Int("slices", 60, "slices of a second in each of those recordings")
	b.Read()
	b.Want(*rate > 0 && b.Slice >= time.Second && *many > 0 && *slices > 0,
		"want at least 1/s, 1s, 1 agent and 1 slice")
	if err := b.Start(ctx); err != nil {
		return err
	}
	if err := together(ctx, b, *rate); err != nil {
		return err
	}
	return merge(b, *many, *slices)
}

// byAgents is what agents did together: answers per second, and seconds of CPU time of the coordinator.
type byAgents struct{ rate, cpu float64 }

// together measures one agent and three in turns with two.
func together(ctx context.Context, b *bed.Bed, rate int) (err error) {
	s, err := side.StartServer(ctx, side.NetHTTP, b.ServerCPU)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	agents := []int{1, 2, 3}
	broker, stop, err := b.Hone.Agents(ctx, b.ClientCPU, len(agents))
	if err != nil {
		return err
	}
	defer stop()
	all, err := figures.Sampled(b.Rounds, len(agents), func(_, i int) (byAgents, error) {
		n := agents[i]
		done, err := proc.Run(ctx, b.ClientCPU, proc.Command{Program: b.Hone.Program, Args: []string{
			"load", s.URL, "--agents", fmt.Sprintf("n=%d", n), "--set", "agents.broker=" + broker, "--rate",
			strconv.Itoa(n * rate), "-c", strconv.Itoa(4 * n),
			"-d", b.Slice.String(), "--no-ledger", "--no-report", "--quiet", "--json", "--fail-if", "errors>0%",
		}})
		if err != nil && done.Code != honecli.Invalid { // a generator that shares its CPU may be late
			return byAgents{}, err
		}
		var out struct {
			AchievedHz float64 `json:"achieved_hz"`
		}
		if err := json.Unmarshal(done.Stdout, &out); err != nil {
			return byAgents{}, fmt.Errorf("read the result of %d agents: %w", n, err)
		}
		return byAgents{out.AchievedHz, done.CPU.Seconds()}, nil
	})
	if err != nil {
		return err
	}
	hz := func(s byAgents) float64 { return s.rate }
	one, two := figures.Column(all[0], hz), figures.Column(all[1], hz)
	ratio, err := figures.Paired(one, two)
	if err != nil {
		return err
	}
	var each []float64
	for r := range b.Rounds { // two agents more
		each = append(each, (all[2][r].cpu-all[0][r].cpu)/2/b.Slice.Seconds()*100)
	}
	t := b.Table("Agents", "what", "figure")
	t.Row("answers/s of one agent", figures.Spread("%.0f", one))
	t.Row("answers/s of two agents", figures.Spread("%.0f", two))
	b.Claim("load from agents: answers/s of two over one; CPU of the coordinator for each", "%s; %s %%", ratio,
		figures.Spread("%.2f", each))
	return nil
}
