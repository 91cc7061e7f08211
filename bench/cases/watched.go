package cases

import (
	"context"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/ui/chrome"
)

// Watched says what it costs a measurement to be looked at: runs that nothing watches, runs whose live stream a small
// client reads from hone serve, and runs with a browser on the live screen and on the history. The small client shows
// what hone's server takes. A browser needs CPU time itself; without spare CPUs it takes that from the program and the
// load generator.
var Watched = bed.Case{Name: "watched", Shows: "what it costs a measurement to be looked at", Takes: "8 minutes",
	Needs: "chromium", Run: measureWatched}

// watchedRun is what one run says of itself.
type watchedRun struct {
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

func measureWatched(ctx context.Context, b *bed.Bed) error {
	b.Turns(12, 8*time.Second)
	b.Read()
	b.Want(b.Rounds >= 6 && b.Slice >= 2*time.Second, "want 6 rounds and runs of 2s, or more")
	if err := b.Start(ctx); err != nil {
		return err
	}
	if _, err := chrome.Find(); err != nil {
		return err
	}
	hone := b.Hone
	hone.Dir, hone.Ledger = "..", filepath.Join(b.Dir, ".hone")
	measure := func() (s watchedRun, err error) {
		_, err = hone.Ask(ctx, &s, nil, "run", "./services/visits/cmd/visits", "--quiet", "--no-report", "-d",
			b.Slice.String(), "-c", "20", "--no-profile",
			"--set=no-trace", "--path", "/hello?name=Ann")
		return s, err
	}
	if _, err := measure(); err != nil { // the build, and the first run, which fills caches
		return err
	}
	watchers := []func(context.Context, honecli.Hone) (func(error) error, error){alone, stream, browse}
	all, err := figures.Sampled(b.Rounds, len(watchers), func(_, i int) (watchedRun, error) {
		end, err := watchers[i](ctx, hone)
		if err != nil {
			return watchedRun{}, err
		}
		s, err := measure()
		return s, end(err)
	})
	if err != nil {
		return err
	}
	return showWatched(b, all)
}

func showWatched(b *bed.Bed, all [][]watchedRun) error {
	t := b.Table("Runs of the visitor counter", "measure", "alone", "streamed", "ratio", "in a browser", "ratio")
	for _, m := range []struct {
		name string
		of   func(watchedRun) float64
	}{
		{"CPU per request, us", func(s watchedRun) float64 { return s.CPU.Value / 1e3 }},
		{"requests/s", func(s watchedRun) float64 { return s.Rate }},
		{"p50 latency, us", func(s watchedRun) float64 { return s.Latency.P50 / 1e3 }},
		{"p99 latency, us", func(s watchedRun) float64 { return s.Latency.P99 / 1e3 }},
		{"generator busy, %", func(s watchedRun) float64 { return 100 * s.Busy }},
	} {
		alone := figures.Column(all[0], m.of)
		row := []string{m.name, figures.Spread("%.4g", alone)}
		for i, how := range []string{"streamed", "in a browser"} {
			watched := figures.Column(all[i+1], m.of)
			ratio, err := figures.Paired(alone, watched)
			if err != nil {
				return err
			}
			row = append(row, figures.Spread("%.4g", watched), ratio.String())
			b.Claim("a run that is looked at over one that is not: "+m.name+", "+how, "%s", ratio)
		}
		t.Row(row...)
	}
	return nil
}
