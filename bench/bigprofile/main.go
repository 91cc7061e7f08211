// Command bigprofile times the top of a large profile, 100,000 stacks in 7 to 8 MB of
// gzip, in hone and in go tool pprof, side by side.
package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
)

type config struct {
	hone   string
	rounds int
	stacks int
}

func main() { side.Main("bigprofile", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("bigprofile")
	fs.Hone(&c.hone)
	fs.IntVar(&c.rounds, "rounds", 3, "runs of each tool, in turns")
	fs.IntVar(&c.stacks, "stacks", 100_000, "stacks in the profile")
	fs.Read(args)
	fs.Want(c.rounds > 0 && c.stacks > 0, "want at least one round and one stack")
	return c, fs.Faults()
}

func run(ctx context.Context, c config) error {
	return side.WithHone(c.hone, func(hone honecli.Hone, dir string) error { return contest(ctx, c, hone.Program, dir) })
}

func contest(ctx context.Context, c config, hone, dir string) error {
	file := filepath.Join(dir, "big.pb.gz")
	size, err := write(file, c.stacks)
	if err != nil {
		return err
	}
	fmt.Printf("profile   %d stacks, %.1f MB gzipped\n\n", c.stacks, float64(size)/1e6)
	tools := []struct {
		name string
		argv []string
	}{
		{"hone profile top", []string{hone, "profile", "top", file}},
		{"go tool pprof -top", []string{"go", "tool", "pprof", "-top", file}},
	}
	// The go command builds pprof the first time.
	if _, err := proc.Run(ctx, -1, proc.Command{Program: "go", Args: []string{"tool", "pprof", "-h"}}); err != nil && ctx.Err() != nil {
		return err
	}
	took := make([][]float64, len(tools))
	peak := make([]float64, len(tools))
	for range c.rounds {
		for i, t := range tools {
			// The go command only passes the memory of its own on: what it started counts as its child.
			d, err := proc.Run(ctx, -1, proc.Command{Program: t.argv[0], Args: t.argv[1:]})
			if err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
			took[i] = append(took[i], d.Wall.Seconds())
			peak[i] = max(peak[i], float64(d.Peak)/(1<<20))
		}
	}
	fmt.Printf("%-20s %-28s %s\n", "", "seconds, median (all)", "peak memory of the process")
	for i, t := range tools {
		fmt.Printf("%-20s %-28s %.0f MB\n", t.name, figures.Spread("%.2f", took[i]), peak[i])
	}
	return nil
}

// write makes a CPU profile of stacks that share their upper frames, as those of a server
// do, and returns its size in bytes.
func write(file string, stacks int) (int64, error) {
	rng := rand.New(rand.NewPCG(1, 1))
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 10_000_000,
		TimeNanos: 1, DurationNanos: int64(30 * time.Second),
	}
	m := &profile.Mapping{ID: 1, Start: 0x400000, Limit: 0x4000000, File: "server", HasFunctions: true, HasFilenames: true, HasLineNumbers: true, HasInlineFrames: true}
	p.Mapping = []*profile.Mapping{m}
	const functions, places = 15_000, 60_000
	for i := range functions {
		p.Function = append(p.Function, &profile.Function{
			ID: uint64(i + 1), Name: fmt.Sprintf("example.com/server/internal/package%d.(*Type%d).Method%d", i%300, i%1000, i),
			Filename: fmt.Sprintf("/src/server/internal/package%d/file%d.go", i%300, i%50),
		})
	}
	for i := range places {
		l := &profile.Location{ID: uint64(i + 1), Mapping: m, Address: 0x400000 + uint64(16*i)}
		for range 1 + rng.IntN(2) {
			l.Line = append(l.Line, profile.Line{Function: p.Function[rng.IntN(functions)], Line: int64(1 + rng.IntN(900))})
		}
		p.Location = append(p.Location, l)
	}
	var stack []*profile.Location
	for range stacks {
		// A new stack leaves the former one somewhere and goes on by itself.
		keep := min(len(stack), rng.IntN(20))
		stack = slices.Clone(stack[:keep])
		for range 10 + rng.IntN(30) {
			stack = append(stack, p.Location[rng.IntN(places)])
		}
		leafFirst := slices.Clone(stack)
		slices.Reverse(leafFirst)
		p.Sample = append(p.Sample, &profile.Sample{Value: []int64{1, 10_000_000}, Location: leafFirst})
	}
	f, err := os.Create(file)
	if err != nil {
		return 0, err
	}
	if err := errors.Join(p.Write(f), f.Close()); err != nil {
		return 0, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
