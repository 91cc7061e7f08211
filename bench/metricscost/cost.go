package main

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/internal/metrics"
)

// cost scrapes a framed server that has nothing else to do: all of its CPU time, less what
// it takes without scrapes, is theirs.
func cost(ctx context.Context, c config, _ honecli.Hone, dir string) error {
	program := filepath.Join(dir, "framed")
	if err := proc.BuildGo(ctx, "..", program, "./services/framed/cmd/framed"); err != nil {
		return err
	}
	page, err := proc.FreeAddress()
	if err != nil {
		return err
	}
	server, err := proc.Serve(ctx, c.cpu, proc.Command{Program: program, Args: []string{"-stage", "batched", "-metrics", page}})
	if err != nil {
		return err
	}
	defer server.Stop()
	if err := server.Await(ctx, page); err != nil {
		return err
	}
	store := metrics.In(dir)
	share, _, err := more(c, func(pair int, recorded bool) (reading, error) {
		if recorded {
			r, err := store.Record(metrics.RunOptions{Run: fmt.Sprintf("r%d", pair), Page: &url.URL{Scheme: "http", Host: page, Path: "/metrics"}})
			if err != nil {
				return reading{}, err
			}
			defer r.Stop()
		}
		used, err := usedPerSecond(ctx, server.Pid(), c.window) // settles first: what the window before has left is over
		return reading{cpu: used}, err
	})
	if err != nil {
		return err
	}
	fmt.Printf("\nscraped every second for %d times %v: %.3f %% of a CPU (95 %% interval %.3f ... %.3f %%), wanted at most %.1f %%\n",
		c.pairs, c.window, 100*share.Value, 100*share.Low, 100*share.High, 100*goalShare)
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
