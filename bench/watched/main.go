// Command watched says what it costs a measurement when it is looked at while it goes on: runs of a reference service that
// nothing watches, runs whose live stream a small client reads from hone serve, and runs with a browser on the live screen and
// on the history, in turns.
//
//	go build -o bin/hone ./cmd/hone
//	cd bench && go run ./watched
//
// It needs Linux, Chromium and, with the defaults, 8 minutes. The small client shows what hone's server takes. A browser needs
// CPU time itself; on a machine without spare CPUs it takes that from the program and the load generator, as any program beside
// a measurement does.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/ui/chrome"
)

const service = "./services/visits/cmd/visits"

type config struct {
	hone   string
	rounds int
	length time.Duration
}

func main() { side.Main("watched", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("watched")
	fs.Hone(&c.hone)
	fs.IntVar(&c.rounds, "rounds", 12, "rounds of three runs: alone, streamed, in a browser")
	fs.DurationVar(&c.length, "d", 8*time.Second, "length of a run")
	fs.Read(args)
	fs.Want(c.rounds >= 6 && c.length >= 2*time.Second, "want 6 rounds and runs of 2s, or more")
	return c, fs.Faults()
}

// sample is what one run says of itself.
type sample struct {
	CPU struct {
		Value float64 `json:"value"`
	} `json:"cpu_ns_per_request"`
	Rate    float64 `json:"requests_per_second"`
	Latency struct {
		P50 float64 `json:"p50"`
		P99 float64 `json:"p99"`
	} `json:"latency"`
	Busy float64 `json:"generator_busy"`
}

func run(ctx context.Context, c config) error {
	if _, err := chrome.Find(); err != nil {
		return err
	}
	return side.WithHone(c.hone, func(hone honecli.Hone, dir string) error {
		hone.Dir, hone.Ledger = "..", filepath.Join(dir, ".hone")
		side.Header(os.Stdout, nil, nil)
		fmt.Printf("%d rounds of runs of %v of %s in random order: alone, with a client of hone serve's live stream, with Chromium (live screen and history)\n\n", c.rounds, c.length, service)
		measure := func() (s sample, err error) {
			_, err = hone.Ask(ctx, &s, nil, "run", service, "--quiet", "--no-report", "-d", c.length.String(), "-c", "20", "--no-profile", "--no-trace",
				"--path", "/hello?name=Ann")
			return s, err
		}
		if _, err := measure(); err != nil { // the build, and the first run, which fills caches
			return err
		}
		watchers := []func(context.Context, honecli.Hone) (func(error) error, error){alone, stream, browse}
		all, err := figures.Sampled(c.rounds, len(watchers), func(_, i int) (sample, error) {
			end, err := watchers[i](ctx, hone)
			if err != nil {
				return sample{}, err
			}
			s, err := measure()
			return s, end(err)
		})
		if err != nil {
			return err
		}
		for i, name := range []string{"streamed", "in a browser"} {
			if err := print(name, all[0], all[i+1]); err != nil {
				return err
			}
		}
		return nil
	})
}

func print(name string, alone, watched []sample) error {
	for _, m := range []struct {
		name, unit string
		of         func(sample) float64
	}{
		{"CPU per request", "us", func(s sample) float64 { return s.CPU.Value / 1e3 }},
		{"throughput", "requests/s", func(s sample) float64 { return s.Rate }},
		{"p50 latency", "us", func(s sample) float64 { return s.Latency.P50 / 1e3 }},
		{"p99 latency", "us", func(s sample) float64 { return s.Latency.P99 / 1e3 }},
		{"generator busy", "%", func(s sample) float64 { return 100 * s.Busy }},
	} {
		a, b := figures.Column(alone, m.of), figures.Column(watched, m.of)
		ratio, err := figures.Paired(a, b)
		if err != nil {
			return err
		}
		fmt.Printf("%-16s alone %s %s, %s %s %s, ratio %v\n", m.name, figures.Spread("%.4g", a), m.unit, name, figures.Spread("%.4g", b), m.unit, ratio)
	}
	return nil
}
