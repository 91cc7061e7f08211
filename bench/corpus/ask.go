package corpus

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gohone/hone/bench/honecli"
)

// connections are those of the load of a service.
const connections = 20

// Ask has hone compare the commit that is checked out in tree with its base: by hone bench, or by hone compare if it is
// of a service. The ledger is not kept: the lines of results are the evidence. A benchmark or a comparison without a
// verdict is a result, too. What a benchmark does not execute is not measured.
func (c Commit) Ask(ctx context.Context, hone honecli.Hone, tree string, budget time.Duration, more ...string) (
	honecli.Said, error) {
	return c.ask(ctx, c.Base(), hone, tree, budget, more...)
}

// AskAll is Ask, and measures a benchmark also where it executes nothing that differs.
func (c Commit) AskAll(ctx context.Context, hone honecli.Hone, tree string, budget time.Duration, more ...string) (
	honecli.Said, error) {
	return c.AskSince(ctx, c.Base(), hone, tree, budget, more...)
}

// AskSince is AskAll with another commit as the base.
func (c Commit) AskSince(ctx context.Context, base string, hone honecli.Hone, tree string, budget time.Duration,
	more ...string) (honecli.Said, error) {
	if c.Benchmark != "" {
		more = append([]string{"--all"}, more...)
	}
	return c.ask(ctx, base, hone, tree, budget, more...)
}

func (c Commit) ask(ctx context.Context, base string, hone honecli.Hone, tree string, budget time.Duration,
	more ...string) (said honecli.Said, err error) {
	if hone.Ledger, err = os.MkdirTemp("", "hone-ledger-"); err != nil {
		return said, fmt.Errorf("make a place for the ledger: %w", err)
	}
	defer os.RemoveAll(hone.Ledger)
	hone.Dir = c.WorkDir(tree)
	if c.Benchmark != "" {
		b, err := hone.Bench(ctx, append([]string{"--vs", base, "--bench", c.Pattern(), "--budget", budget.String()},
			more...)...)
		if b.Said.Word != "" {
			err = nil // whatever it lacks
		}
		return b.Said, err
	}
	return hone.Compare(ctx, c.Comparison(base, budget, more...)...)
}

// Comparison are the words of hone compare for a service, of base and of what is checked out; without a base, of what
// is checked out with itself.
func (c Commit) Comparison(base string, budget time.Duration, more ...string) []string {
	load, program := c.load()
	a := c.pkg()
	if base != "" {
		a = base + ":" + a
	}
	args := append([]string{a, c.pkg(), "--budget", budget.String()}, load...)
	return append(append(append(args, more...), "--"), program...)
}

// Alone are the words of a command of hone that measures the service that is checked out.
func (c Commit) Alone(more ...string) []string {
	load, program := c.load()
	return slices.Concat([]string{c.pkg()}, load, more, []string{"--"}, program)
}

// Fix are the words of hone fix for what is checked out: by all benchmarks of the package, or under the load of a
// service. They follow the word fix, in WorkDir.
func (c Commit) Fix(budget time.Duration) []string {
	if c.Benchmark != "" {
		return []string{"--bench", ".", "--budget", budget.String()}
	}
	return c.Alone("--budget", budget.String())
}

// WorkDir is where hone runs: in the package of a benchmark, for a service in the root of the tree.
func (c Commit) WorkDir(tree string) string {
	if c.Benchmark != "" {
		return filepath.Join(tree, c.Dir)
	}
	return tree
}

// Bisect are the words of hone bisect that follow one measure from a good commit to the one that is checked out.
func (c Commit) Bisect(good, measure string, more ...string) []string {
	args := append([]string{good, "--measure", measure}, more...)
	if c.Benchmark != "" {
		return append(args, "--bench", c.Pattern(), ".")
	}
	load, program := c.load()
	return append(append(append(args, c.pkg()), append(load, "--")...), program...)
}

// pkg is the package of a service as hone takes it.
func (c Commit) pkg() string { return "./" + filepath.ToSlash(c.Dir) }

// load are the flags for the load of a service, and its arguments.
func (c Commit) load() (flags, program []string) {
	s := SubjectOf(c.Repo)
	return []string{"--target", "http://127.0.0.1:{port}" + s.Path, "-c", fmt.Sprint(connections), "--set", "answers.volatile=true"}, s.Args
}

// Gates are flags for Ask.
func (c Commit) Gates() []string {
	if c.Benchmark == "" {
		return []string{"--gate", "cpu<+2%", "--gate", "allocs<=+0.5"}
	}
	return []string{"--gate", "time<+2%", "--gate", "allocs<=0"}
}
