// Command blame checks what hone profile blame says against what happens: it measures a
// service with a planted allocator, takes blame's first site and the collector's CPU time
// that it predicts to go with it, fixes that site, measures again, and compares.
package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/prof"
)

func main() { side.MainWithHone("blame", 5, "measurements of each side, in turns", predict) }

// collector is what the collector costs per request.
func collector(b prof.Blame) float64 {
	c := b.Collector
	return c.Mark + c.Sweep + c.Scavenge + c.Assist
}

// predict prints a line for each round, and how the prediction did.
func predict(ctx context.Context, hone honecli.Hone, rounds int) error {
	var ratios []float64
	first := 0
	for i := range rounds {
		before, err := measure(ctx, hone)
		if err != nil {
			return err
		}
		after, err := measure(ctx, hone, "-fixed")
		if err != nil {
			return err
		}
		s := before.Sites[0]
		predicted, gone := s.Blame+s.Assist, collector(before)-collector(after)
		ratios = append(ratios, predicted/gone)
		if strings.HasSuffix(s.Function, ".planted") {
			first++
		}
		fmt.Printf("round %d: first site %s (via %s), %.0f %% of the bytes; collector %.2f us of %.2f us per request; predicted to go %.2f us, gone %.2f us, ratio %.2f\n",
			i+1, s.Function, s.Via, s.ByteShare, collector(before)/1e3, before.Total/1e3, predicted/1e3, gone/1e3, predicted/gone)
	}
	fmt.Printf("\nthe planted site came first in %d of %d; predicted / gone: %s (wanted: 0.75 ... 1.25)\n",
		first, rounds, figures.Spread("%.2f", ratios))
	return nil
}

// measure runs the service under load and asks for the blame.
func measure(ctx context.Context, hone honecli.Hone, args ...string) (b prof.Blame, err error) {
	id, err := hone.Measure(ctx, "./blame/subject", []string{"-d", "2s", "--profile-time", "4s"}, args)
	if err != nil {
		return b, err
	}
	if _, err := hone.Ask(ctx, &b, nil, "profile blame", id, "--by", "function"); err != nil {
		return b, err
	}
	if len(b.Sites) == 0 {
		return b, errors.New("no site is blamed")
	}
	return b, nil
}
