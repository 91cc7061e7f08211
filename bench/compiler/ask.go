package compiler

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/honecli"
)

// answer is what hone says of two commits.
type answer struct {
	// Headline is its first line, Why are the lines that explain something, as a reader sees them.
	Headline string        `json:"headline"`
	Why      []string      `json:"why,omitempty"`
	Wall     time.Duration `json:"wall_ns"`
}

// ask has hone compare the benchmark in a directory with another commit. It is the only place that knows how hone is asked.
func (c config) ask(ctx context.Context, dir, base, pattern string) (*answer, error) {
	hone := c.Hone
	hone.Dir, hone.Ledger = dir, filepath.Join(c.Dir, "ledger")
	args := []string{"bench", ".", "--vs", base, "--bench", pattern, "--profile", "--budget", c.budget.String(), "--quiet",
		"--no-report", "--ledger", hone.Ledger}
	done, err := hone.Run(ctx, []int{honecli.Regression, honecli.Undecided}, args...)
	if err != nil {
		return nil, err
	}
	a := read(string(done.Stdout))
	if a.Headline == "" {
		return nil, fmt.Errorf("hone bench prints nothing: %.200q", done.Stderr)
	}
	a.Wall = done.Wall
	return &a, nil
}

// read reads what hone bench prints.
func read(text string) (a answer) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if a.Headline == "" {
			a.Headline = line
		} else if explains.MatchString(line) {
			a.Why = append(a.Why, line)
		}
	}
	return a
}

// slower says that B was found to be slower.
func (a answer) slower() bool { return strings.Contains(a.Headline, "slower") }

// commit makes a repository of a pair, A and on top of it B, in a directory.
func (p *pair) commit(ctx context.Context, dir string) error {
	if err := p.layOut(sideA, dir); err != nil {
		return err
	}
	for _, step := range [][]string{{"init", "--quiet"}, {"add", "."}, {"commit", "--quiet", "-m", "A"}, nil,
		{"commit", "--quiet", "--all", "-m", "B"}} {
		if step == nil {
			if err := p.layOut(sideB, dir); err != nil {
				return err
			}
			continue
		}
		args := append([]string{"-c", "user.name=bench", "-c", "user.email=bench@localhost"}, step...)
		if _, err := corpus.Git(ctx, dir, "", args...); err != nil {
			return err
		}
	}
	return nil
}
