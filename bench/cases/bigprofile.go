package cases

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/proc"
)

// BigProfile times the top of a large profile, 7 to 8 MB of gzip, in hone and in go tool pprof.
var BigProfile = bed.Case{
	Name: "bigprofile", Shows: "time and memory for the top of a profile of 100,000 stacks, beside go tool pprof",
	Takes: "a minute",
	Needs: "chromium for the time in a browser", Run: measureBigProfile,
}

func measureBigProfile(ctx context.Context, b *bed.Bed) error {
	b.Repeats(3, "runs of each tool, in turns")
	stacks := b.Int("stacks", 100_000, "stacks in the profile")
	b.Read()
	b.Want(*stacks > 0, "want at least one stack")
	if err := b.Start(ctx); err != nil {
		return err
	}
	file := filepath.Join(b.Dir, "big.pb.gz")
	size, err := write(file, *stacks)
	if err != nil {
		return err
	}
	tools := []struct {
		name string
		argv []string
	}{
		{"hone profile top", []string{b.Hone.Program, "profile", "top", file}},
		{"go tool pprof -top", []string{"go", "tool", "pprof", "-top", file}},
	}
	// The go command builds pprof the first time.
	if _, err := proc.Run(ctx, -1, proc.Command{Program: "go", Args: []string{"tool", "pprof", "-h"}}); err != nil &&
		ctx.Err() != nil {
		return err
	}
	samples, err := figures.Sampled(b.Rounds, len(tools), func(_, i int) (proc.Done, error) {
		// The go command only passes the memory of its own on: what it started counts as its child.
		return proc.Run(ctx, -1, proc.Command{Program: tools[i].argv[0], Args: tools[i].argv[1:]})
	})
	if err != nil {
		return err
	}
	t := b.Table(fmt.Sprintf("%d stacks, %.1f MB gzipped", *stacks, float64(size)/1e6), "tool", "seconds",
		"peak memory of the process, MB")
	for i, tool := range tools {
		took := figures.Spread("%.2f", figures.Column(samples[i],
			func(d proc.Done) float64 { return d.Wall.Seconds() }))
		memory := figures.Spread("%.0f", figures.Column(samples[i],
			func(d proc.Done) float64 { return float64(d.Peak) / (1 << 20) }))
		t.Row(tool.name, took, memory)
		b.Claim(fmt.Sprintf("`%s` of %d stacks", tool.name, *stacks), "%s s, %s MB", took, memory)
	}
	return flame(ctx, b, t, file)
}

// flame makes the page of the profile and opens it.
func flame(ctx context.Context, b *bed.Bed, t *bed.Table, file string) error {
	page := file + ".html"
	d, err := proc.Run(ctx, -1, proc.Command{Program: b.Hone.Program,
		Args: []string{"profile", "flame", file, "--html", page}})
	if err != nil {
		return err
	}
	info, err := os.Stat(page)
	if err != nil {
		return err
	}
	t.Say("page of the flame graph: %.1f MB, made in %v", float64(info.Size())/1e6, d.Wall.Round(100*time.Millisecond))
	return paint(ctx, t, b.Rounds, (&url.URL{Scheme: "file", Path: page}).String(), "")
}
