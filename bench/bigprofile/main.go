// Command bigprofile times the top of a large profile, 100,000 stacks in 7 to 8 MB of
// gzip, in hone and in go tool pprof, side by side.
package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/painttime"
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
	return flame(ctx, c.rounds, hone, file)
}

// flame makes the page of the profile and opens it.
func flame(ctx context.Context, rounds int, hone, file string) error {
	page := file + ".html"
	began := time.Now()
	if _, err := proc.Run(ctx, -1, proc.Command{Program: hone, Args: []string{"profile", "flame", file, "--html", page}}); err != nil {
		return err
	}
	took := time.Since(began)
	info, err := os.Stat(page)
	if err != nil {
		return err
	}
	fmt.Printf("\npage of the flame graph: %.1f MB, made in %.1f s\n", float64(info.Size())/1e6, took.Seconds())
	return painttime.Print(ctx, os.Stdout, rounds, (&url.URL{Scheme: "file", Path: page}).String(), "")
}
