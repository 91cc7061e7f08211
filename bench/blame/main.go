// Command blame checks what hone profile blame says against what happens: it measures a
// service with a planted allocator, takes blame's first site and the collector's CPU time
// that it predicts to go with it, fixes that site, measures again, and compares.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/side"
)

type config struct {
	hone   string
	rounds int
}

func main() { side.Main("blame", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("blame")
	fs.Hone(&c.hone)
	fs.IntVar(&c.rounds, "rounds", 5, "measurements of each side, in turns")
	fs.Read(args)
	fs.Want(c.rounds > 0, "want at least one round")
	return c, fs.Faults()
}

// blame is what is read of hone.blame/1.
type blame struct {
	Total     float64 `json:"total_ns"`
	Collector struct {
		Mark     float64 `json:"mark_ns"`
		Sweep    float64 `json:"sweep_ns"`
		Scavenge float64 `json:"scavenge_ns"`
		Assist   float64 `json:"assist_ns"`
	}
	Sites []struct {
		Function, File, Via string
		Line                int
		Blame               float64 `json:"blame_ns"`
		Assist              float64 `json:"assist_ns"`
		ByteShare           float64 `json:"byte_share_percent"`
	}
}

// collector is what the collector costs per request.
func (b blame) collector() float64 {
	c := b.Collector
	return c.Mark + c.Sweep + c.Scavenge + c.Assist
}

func run(ctx context.Context, c config) error {
	dir, err := os.MkdirTemp("", "blame-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, line := range side.Machine() {
		fmt.Println(line)
	}
	hone, err := honecli.Find(c.hone)
	if err != nil {
		return err
	}
	var ratios []float64
	first := 0
	for i := range c.rounds {
		before, err := measure(ctx, hone, dir)
		if err != nil {
			return err
		}
		after, err := measure(ctx, hone, dir, "-fixed")
		if err != nil {
			return err
		}
		s := before.Sites[0]
		predicted, gone := s.Blame+s.Assist, before.collector()-after.collector()
		ratios = append(ratios, predicted/gone)
		if strings.HasSuffix(s.Function, ".planted") {
			first++
		}
		fmt.Printf("round %d: first site %s (via %s), %.0f %% of the bytes; collector %.2f us of %.2f us per request; predicted to go %.2f us, gone %.2f us, ratio %.2f\n",
			i+1, s.Function, s.Via, s.ByteShare, before.collector()/1e3, before.Total/1e3, predicted/1e3, gone/1e3, predicted/gone)
	}
	fmt.Printf("\nthe planted site came first in %d of %d; predicted / gone: %s (wanted: 0.75 ... 1.25)\n",
		first, c.rounds, figures.Spread("%.2f", ratios))
	return nil
}

// measure runs the service under load and asks for the blame.
func measure(ctx context.Context, hone honecli.Hone, dir string, args ...string) (blame, error) {
	var b blame
	argv := append([]string{
		"run", "./blame/subject", "-d", "2s", "-c", "20", "--profile-time", "4s", "--ledger", dir, "--json", "--quiet",
		"--target", "http://127.0.0.1:{port}/", "--", "-addr", "127.0.0.1:{port}",
	}, args...)
	var run struct{ ID string }
	if _, err := hone.Ask(ctx, &run, nil, argv...); err != nil {
		return b, err
	}
	if _, err := hone.Ask(ctx, &b, nil, "profile", "blame", run.ID, "--ledger", dir, "--by", "function", "--json"); err != nil {
		return b, err
	}
	if len(b.Sites) == 0 {
		return b, errors.New("no site is blamed")
	}
	return b, nil
}
