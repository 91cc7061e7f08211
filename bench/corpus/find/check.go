package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gohone/hone/bench/corpus"
)

// check prints the commits of the list whose two sides build, and run the benchmark.
func (f finder) check(ctx context.Context, only string) error {
	all, err := corpus.NoOps()
	if err != nil {
		return err
	}
	for _, c := range all {
		if only != "" && c.Repo != only {
			continue
		}
		if err := builds(ctx, corpus.Clones(f.clones), c); err != nil {
			fmt.Fprintf(os.Stderr, "%s (%s) is left out: %v\n", c, c.Kind, err)
			continue
		}
		fmt.Println(c.Repo, c.Commit.Commit, c.Kind)
	}
	return nil
}

// builds wants both sides of a commit to build, and to run the benchmark. What links something else has to have another text.
func builds(ctx context.Context, clones corpus.Clones, c corpus.NoOp) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	dir, err := os.MkdirTemp("", "hone-find-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	trees, err := clones.CheckOut(ctx, c.Commit, dir)
	if err != nil {
		return err
	}
	sides, err := c.Build(ctx, trees, dir)
	if err != nil {
		return err
	}
	for _, s := range sides {
		if c.Benchmark == "" {
			break
		}
		if _, err := s.Run(ctx, 1, time.Millisecond); err != nil {
			return err
		}
	}
	moved, err := corpus.OtherText(sides[0].Program, sides[1].Program)
	if err == nil && !moved && c.Kind == corpus.Unused {
		err = errors.New("the machine code is the same")
	}
	return err
}
