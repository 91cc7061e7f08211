package cases

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/prof"
)

// Blame checks what hone profile blame says against what happens: a service with a planted allocator is measured, its
// first site is fixed, and the collector's CPU time that was predicted to go is held against what went.
var Blame = bed.Case{Name: "blame", Shows: "does the collector's time go that hone profile blame says will go",
	Takes: "2 minutes", Run: measureBlame}

// collector is what the collector costs per request.
func collector(b prof.Blame) float64 {
	c := b.Collector
	return c.Mark + c.Sweep + c.Scavenge + c.Assist
}

func measureBlame(ctx context.Context, b *bed.Bed) error {
	b.Repeats(5, "measurements of each side, in turns")
	if err := b.Start(ctx); err != nil {
		return err
	}
	t := b.Table("Rounds", "round", "first site", "via", "bytes", "collector of all, us per request",
		"predicted to go, us", "gone, us", "ratio")
	var ratios []float64
	first := 0
	for i := range b.Rounds {
		before, err := blamed(ctx, b.Hone)
		if err != nil {
			return err
		}
		after, err := blamed(ctx, b.Hone, "-fixed")
		if err != nil {
			return err
		}
		s := before.Sites[0]
		predicted, gone := s.Blame+s.Assist, collector(before)-collector(after)
		ratios = append(ratios, predicted/gone)
		if strings.HasSuffix(s.Function, ".planted") {
			first++
		}
		t.Row(fmt.Sprint(i+1), s.Function, s.Via, fmt.Sprintf("%.0f %%", s.ByteShare),
			fmt.Sprintf("%.2f of %.2f", collector(before)/1e3, before.Total/1e3),
			fmt.Sprintf("%.2f", predicted/1e3), fmt.Sprintf("%.2f", gone/1e3), fmt.Sprintf("%.2f", predicted/gone))
	}
	b.Claim("GC blame on a planted allocator: collector CPU per request that is predicted to go, over what went (wanted: 0.75 ... 1.25)",
		"%s; the planted line came first in %d of %d", figures.Spread("%.2f", ratios), first, b.Rounds)
	return nil
}

// blamed runs the service under load and asks for the blame.
func blamed(ctx context.Context, hone honecli.Hone, args ...string) (b prof.Blame, err error) {
	id, err := hone.Measure(ctx, "./subjects/allocating", []string{"-d", "2s", "--profile-time", "4s"}, args)
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
