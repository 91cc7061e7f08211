// Command bigprofile times the top of a large profile, 100,000 stacks in 7 to 8 MB of
// gzip, in hone and in go tool pprof, side by side.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/google/pprof/profile"

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
	fs := flag.NewFlagSet("bigprofile", flag.ContinueOnError)
	fs.StringVar(&c.hone, "hone", "../bin/hone", "hone's binary")
	fs.IntVar(&c.rounds, "rounds", 3, "runs of each tool, in turns")
	fs.IntVar(&c.stacks, "stacks", 100_000, "stacks in the profile")
	if err := fs.Parse(args); err != nil {
		return c, err
	}
	if fs.NArg() > 0 || c.rounds < 1 || c.stacks < 1 {
		return c, errors.New("want flags only, and at least one round and one stack")
	}
	return c, nil
}

func run(ctx context.Context, c config) error {
	dir, err := os.MkdirTemp("", "bigprofile-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "big.pb.gz")
	size, err := write(file, c.stacks)
	if err != nil {
		return err
	}
	for _, line := range side.Machine() {
		fmt.Println(line)
	}
	fmt.Printf("profile   %d stacks, %.1f MB gzipped\n\n", c.stacks, float64(size)/1e6)
	tools := []struct {
		name string
		argv []string
	}{
		{"hone profile top", []string{c.hone, "profile", "top", file}},
		{"go tool pprof -top", []string{"go", "tool", "pprof", "-top", file}},
	}
	// The go command builds pprof the first time.
	if _, _, err := measure(ctx, []string{"go", "tool", "pprof", "-h"}); err != nil && ctx.Err() != nil {
		return err
	}
	took := make([][]float64, len(tools))
	peak := make([]float64, len(tools))
	for range c.rounds {
		for i, t := range tools {
			d, rss, err := measure(ctx, t.argv)
			if err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
			took[i] = append(took[i], d.Seconds())
			peak[i] = max(peak[i], rss)
		}
	}
	fmt.Printf("%-20s %-28s %s\n", "", "seconds, median (all)", "peak memory of the process")
	for i, t := range tools {
		fmt.Printf("%-20s %-28s %.0f MB\n", t.name, side.Spread("%.2f", took[i]), peak[i])
	}
	return nil
}

// measure runs a command and returns how long it took and its peak memory in MB. The go
// command only passes its own on: what it started counts as its child.
func measure(ctx context.Context, argv []string) (time.Duration, float64, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdout = io.Discard
	began := time.Now()
	err := cmd.Run()
	took := time.Since(began)
	rss := 0.0
	if cmd.ProcessState != nil {
		if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			rss = float64(usage.Maxrss) / 1024
		}
	}
	return took, rss, err
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
		stack = append([]*profile.Location(nil), stack[:keep]...)
		for range 10 + rng.IntN(30) {
			stack = append(stack, p.Location[rng.IntN(places)])
		}
		s := &profile.Sample{Value: []int64{1, 10_000_000}}
		for i := len(stack) - 1; i >= 0; i-- {
			s.Location = append(s.Location, stack[i])
		}
		p.Sample = append(p.Sample, s)
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
