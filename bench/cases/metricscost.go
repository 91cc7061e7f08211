package cases

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/stats"
)

// MetricsCost says what recording the metrics of a run costs: the program that is scraped and the load generator in CPU
// time, and hone in memory.
var MetricsCost = bed.Case{Name: "metricscost",
	Shows: "what recording metrics costs the program, the load generator, and hone in memory", Takes: "24 minutes",
	Run: measureMetricsCost}

// What is wanted: the share of a CPU that scraping takes from the program, at an interval
// of a second, what recording takes from the generator, and hone's memory over a run.
const (
	goalShare     = 0.005
	goalGenerator = 0.001
	goalMemory    = 150 << 20
)

// recordingCost is the case at work; Slice is how long something is watched with and without metrics, in turns.
type recordingCost struct {
	*bed.Bed
	length time.Duration
	series int
}

func measureMetricsCost(ctx context.Context, b *bed.Bed) error {
	c := recordingCost{Bed: b}
	var skip []string
	b.Turns(15, 10*time.Second)
	b.IntVar(&b.ServerCPU, "server-cpu", 1, "CPU of the program that is scraped")
	b.DurationVar(&c.length, "run", 10*time.Minute, "length of the run whose memory is watched")
	b.IntVar(&c.series, "series", 5000, "series of the program in that run")
	b.Words(&skip, "skip", "", "parts to leave out, separated by commas: scrapes, generator, memory")
	b.Read()
	b.Want(b.Slice >= 2*time.Second && b.Rounds >= 6 && c.length >= 10*time.Second && c.series > 0,
		"want windows of 2s, 6 rounds, a run of 10s and a series, or more")
	if err := b.Start(ctx); err != nil {
		return err
	}
	b.Hone.Dir = ".."
	var faults []error
	for _, part := range []struct {
		name string
		run  func(context.Context) error
	}{{"scrapes", c.scrapes}, {"generator", c.generator}, {"memory", c.memory}} {
		if !slices.Contains(skip, part.name) {
			faults = append(faults, part.run(ctx))
		}
	}
	return errors.Join(faults...)
}

// usage is what was measured in one window: the share of a CPU that was used, and the p99
// of the latency in nanoseconds, where that is of interest.
type usage struct{ cpu, p99 float64 }

// more is how much more is used with recording than without it, in pairs of random order.
func (c recordingCost) more(measure func(pair int, recorded bool) (usage, error)) (cpu, p99 stats.Estimate, err error) {
	sides, err := figures.Sampled(c.Rounds, 2, func(round, i int) (usage, error) { return measure(round, i == 0) })
	if err != nil {
		return cpu, p99, err
	}
	var cpus, tails []float64
	for i, with := range sides[0] {
		without := sides[1][i]
		cpus, tails = append(cpus, with.cpu-without.cpu), append(tails, with.p99-without.p99)
	}
	if cpu, err = stats.HodgesLehmann(cpus, figures.Confidence); err != nil {
		return cpu, p99, err
	}
	p99, err = stats.HodgesLehmann(tails, figures.Confidence)
	return cpu, p99, err
}

// scrapes scrapes a framed server that has nothing else to do: all of its CPU time, less what
// it takes without scrapes, is theirs.
func (c recordingCost) scrapes(ctx context.Context) error {
	program := filepath.Join(c.Dir, "framed")
	if err := proc.BuildGo(ctx, "..", program, "./services/framed/cmd/framed"); err != nil {
		return err
	}
	page, err := proc.FreeAddress()
	if err != nil {
		return err
	}
	server, err := proc.Serve(ctx, c.ServerCPU, proc.Command{Program: program,
		Args: []string{"-stage", "batched", "-metrics", page}})
	if err != nil {
		return err
	}
	defer server.Stop()
	if err := server.Await(ctx, page); err != nil {
		return err
	}
	store := metrics.In(c.Dir)
	share, _, err := c.more(func(pair int, recorded bool) (usage, error) {
		if recorded {
			r, err := store.Record(metrics.RunOptions{Run: fmt.Sprintf("r%d", pair)})
			if err != nil {
				return usage{}, err
			}
			defer r.Stop()
			r.Visit(url.URL{Scheme: "http", Host: page, Path: "/metrics"}, false)
		}
		used, err := usedPerSecond(ctx, server.Pid(), c.Slice) // settles first: what the window before has left is over
		return usage{cpu: used}, err
	})
	if err != nil {
		return err
	}
	c.Claim("recording metrics: share of a CPU that scraping every second takes from a framed server",
		"%.3f %% (%.3f ... %.3f)", 100*share.Value, 100*share.Low, 100*share.High)
	if share.High > goalShare {
		return fmt.Errorf("scraping is not shown to cost at most %.1f %% of a CPU", 100*goalShare)
	}
	return nil
}

// settle is how long what is measured has been working when the window begins, and goes on
// behind it.
const settle = time.Second

// usedPerSecond is the share of a CPU that a process uses in the window, which begins soon.
func usedPerSecond(ctx context.Context, pid int, window time.Duration) (float64, error) {
	wait := func(d time.Duration) error {
		select {
		case <-time.After(d):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err := wait(settle); err != nil {
		return 0, err
	}
	began := time.Now()
	used, err := proc.CPUOf(pid, func() error { return wait(window) })
	return float64(used) / float64(time.Since(began)), err
}
