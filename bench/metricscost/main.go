// Command metricscost says what recording the metrics of a run costs: the program that is
// scraped and the load generator in CPU time, and hone in memory.
//
//	go build -o bin/hone ./cmd/hone
//	cd bench && go run ./metricscost
//
// It needs Linux and, with the defaults, 24 minutes.
package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/stats"
)

// What is wanted: the share of a CPU that scraping takes from the program, at an interval
// of a second, what recording takes from the generator, and hone's memory over a run.
const (
	goalShare     = 0.005
	goalGenerator = 0.001
	goalMemory    = 150 << 20
)

type config struct {
	hone   string
	window time.Duration
	pairs  int
	length time.Duration
	series int
	skip   []string
	cpu    int
}

func main() { side.Main("metricscost", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("metricscost")
	fs.Hone(&c.hone)
	fs.DurationVar(&c.window, "window", 10*time.Second, "how long the program is watched with and without scrapes, in turns")
	fs.IntVar(&c.pairs, "pairs", 15, "how many such pairs")
	fs.DurationVar(&c.length, "d", 10*time.Minute, "length of the run whose memory is watched")
	fs.IntVar(&c.series, "series", 5000, "series of the program in that run")
	fs.Words(&c.skip, "skip", "", "parts to leave out, separated by commas: cost, generator, memory")
	fs.IntVar(&c.cpu, "cpu", 1, "CPU of the program that is scraped")
	fs.Read(args)
	fs.Want(c.window >= 2*time.Second && c.pairs >= 6 && c.length >= 10*time.Second && c.series > 0,
		"want windows of 2s, 6 pairs, a run of 10s and a series, or more")
	return c, fs.Faults()
}

func run(ctx context.Context, c config) error {
	return side.WithHone(c.hone, func(hone honecli.Hone, dir string) error {
		hone.Dir = ".."
		var faults []error
		for _, part := range []struct {
			name string
			run  func(context.Context, config, honecli.Hone, string) error
		}{{"cost", cost}, {"generator", generator}, {"memory", memory}} {
			if !slices.Contains(c.skip, part.name) {
				faults = append(faults, part.run(ctx, c, hone, dir))
			}
		}
		return errors.Join(faults...)
	})
}

// reading is what was measured in one window: the share of a CPU that was used, and the p99
// of the latency in nanoseconds, where that is of interest.
type reading struct{ cpu, p99 float64 }

// more is how much more is used with recording than without it, in pairs of random order.
func more(c config, measure func(pair int, recorded bool) (reading, error)) (cpu, p99 stats.Estimate, err error) {
	sides, err := figures.Sampled(c.pairs, 2, func(round, i int) (reading, error) { return measure(round, i == 0) })
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
