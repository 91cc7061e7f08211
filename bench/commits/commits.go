// Package commits measures public commits that claim to make something faster, and commits that change no line that the
// benchmark runs: by hone bench, for benchstat in the same time, and by a long run over link orders that is taken for the truth.
// The repositories are cloned where -clones says, unless they are there.
//
// What it does not show: one machine; benchstat has one order of functions for each side, as people have who use it; a commit is
// measured on a benchmark that its parent has, too, which may not be the one that its author had in mind.
package commits

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/gotest"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
)

// Case is the benchmark.
var Case = bed.Case{
	Name: "commits", Shows: "public commits that claim to be faster, by hone bench, for benchstat and by a long run", Takes: "50 minutes; goes on where it was",
	Needs: "clones from GitHub", Run: run,
}

// commit is a public commit with a benchmark that its parent has, too.
type commit struct {
	// Repo is owner/name on GitHub.
	Repo, Commit string
	// Benchmark is one of the root package, without the word Benchmark, with its part after a slash.
	Benchmark string
	// Claim is what its message says about this benchmark, or about all.
	Claim string
	// Adds, if any, is a file that a commit on top of Commit adds; this one is measured against Commit.
	Adds string
}

// noOp claims nothing: it moves the functions of the program, and changes none.
const noOp = "nothing: adds a function that is never called"

// name tells the commits of a repository apart.
func (c commit) name() string {
	if c.Adds != "" {
		return c.Commit + "+1"
	}
	return c.Commit
}

// pattern matches the benchmark and no other, as -test.bench takes it.
func (c commit) pattern() string {
	return "^Benchmark" + strings.ReplaceAll(c.Benchmark, "/", "$/^") + "$"
}

// commits are what is measured: those of well-known libraries whose benchmarks build with today's Go.
var commits = []commit{
	{"BurntSushi/toml", "6fb5266", "Example/decode", "20 to 30 % faster", ""},
	{"bits-and-blooms/bitset", "8b8b79b", "Set", "~10 % in some benchmarks", ""},
	{"google/uuid", "85223fa", "ParseBadLength", "15.4 ns to 3.5 ns: -77 %", ""},
	{"julienschmidt/httprouter", "8222db1", "PathClean", "avoid allocations in the common case", ""},
	{"rs/zerolog", "14dcf38", "LogFields", "-1.23 % (p=0.000 n=10+10)", ""},
	{"shopspring/decimal", "0cada0b", "NewFromStringFloat", "optimize a bit", ""},
	{"BurntSushi/toml", "6fb5266", "Example/decode", noOp, "package toml" + unused},
	{"julienschmidt/httprouter", "8222db1", "PathClean", noOp, "package httprouter" + unused},
	{"shopspring/decimal", "0cada0b", "NewFromStringFloat", noOp, "package decimal" + unused},
}

// unused is a function that no one calls. The linker keeps it because its address is kept.
const unused = `

// KeptForever keeps the function in the program.
var KeptForever = sumOfSquares

func sumOfSquares(values []int) (sum int) {
	for i, v := range values {
		if i%3 == 0 {
			continue
		}
		sum += v * v
	}
	return sum
}
`

type config struct {
	clones string
	budget time.Duration
	rounds int
}

// leastRounds are the fewest that have an interval (figures.Ratio).
const leastRounds = 6

func run(ctx context.Context, b *bed.Bed) error {
	var c config
	b.Keeps("results/commits.jsonl")
	b.StringVar(&c.clones, "clones", "", "`directory` of the repositories, each in OWNER/NAME; what is missing is cloned from GitHub (default: hone-bench in the user's cache)")
	b.DurationVar(&c.budget, "budget", 30*time.Second, "time of hone, and of benchstat, for a commit")
	b.IntVar(&c.rounds, "rounds", 60, "rounds of the long run, each of two fresh processes that run for a second")
	b.Read()
	b.Want(c.budget > 0 && c.rounds >= leastRounds, "want some time, and 6 rounds at least")
	if err := b.Start(ctx); err != nil {
		return err
	}
	if !b.Report {
		head := func(at time.Time, s *bed.Session) record { return record{At: at, Session: s} }
		err := bed.Measure(ctx, b, resultsSchema, head, func(j *bed.Journal[record]) error {
			name := func(c commit) string { return c.Repo + " " + c.name() + " " + c.Benchmark }
			return bed.Take(ctx, b, j, missing(j.Records), name, func(ctx context.Context, what commit) ([]record, error) {
				r, err := c.take(ctx, b.Hone, what)
				if err != nil {
					return nil, err
				}
				return []record{r}, nil
			})
		})
		if err != nil {
			return err
		}
	}
	return bed.Publish(b, resultsSchema, document)
}

// String is a record as progress shows it.
func (r record) String() string {
	return fmt.Sprintf("truth %v, hone %v %s, benchstat %.4f p = %.3g", r.Truth, r.ByHone, r.Verdict, r.Classic.Ratio, r.Classic.P)
}

// take measures one commit in all three ways.
func (c config) take(ctx context.Context, hone honecli.Hone, what commit) (record, error) {
	r := record{Commit: what.name(), Repo: what.Repo, Benchmark: what.Benchmark, Budget: c.budget, Rounds: c.rounds}
	dir, err := os.MkdirTemp("", "hone-commits-")
	if err != nil {
		return r, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	trees, err := c.checkOut(ctx, what, dir)
	if err != nil {
		return r, err
	}
	pattern := what.pattern()
	var sides [2]gotest.Side
	for i, tree := range trees {
		binary, err := gotest.Build(ctx, tree, filepath.Join(dir, fmt.Sprintf("%d.test", i)))
		if err != nil {
			return r, err
		}
		sides[i] = gotest.Side{Binary: binary, Pattern: pattern}
	}
	hone.Dir, hone.Ledger = sides[1].Dir, filepath.Join(dir, "ledger")
	b, err := hone.Bench(ctx, "--vs", "HEAD^", "--bench", pattern, "--budget", c.budget.String())
	if err != nil {
		return r, err
	}
	r.hone(b)
	if r.Classic, err = gotest.OldThenNew(ctx, sides[0], sides[1], c.budget); err != nil {
		return r, err
	}
	r.Truth, err = gotest.Truth(ctx, trees[0], trees[1], pattern, dir, c.rounds, time.Second)
	r.At = bed.Now()
	return r, err
}

// checkOut makes a tree of the commit's parent and one of the commit, in dir.
func (c config) checkOut(ctx context.Context, what commit, dir string) (trees [2]string, err error) {
	clone, err := c.clone(ctx, what.Repo)
	if err != nil {
		return trees, err
	}
	refs := [2]string{what.Commit + "^", what.Commit}
	if what.Adds != "" {
		refs = [2]string{what.Commit, what.Commit}
	}
	for i, ref := range refs {
		trees[i] = filepath.Join(dir, []string{"A", "B"}[i])
		if err := git(ctx, "", "clone", "--quiet", "--shared", "--no-checkout", clone, trees[i]); err != nil {
			return trees, err
		}
		if err := git(ctx, trees[i], "checkout", "--quiet", "--detach", ref); err != nil {
			return trees, err
		}
	}
	if what.Adds == "" {
		return trees, nil
	}
	if err := os.WriteFile(filepath.Join(trees[1], "kept_forever.go"), []byte(what.Adds), 0o600); err != nil {
		return trees, fmt.Errorf("add a function: %w", err)
	}
	if err := git(ctx, trees[1], "add", "kept_forever.go"); err != nil {
		return trees, err
	}
	return trees, git(ctx, trees[1], "-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "-m", noOp)
}

// clone returns the directory of a repository, which it clones where there is none yet.
func (c config) clone(ctx context.Context, repo string) (string, error) {
	root := c.clones
	if root == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("find a place for clones: %w", err)
		}
		root = filepath.Join(cache, "hone-bench")
	}
	dir, err := filepath.Abs(filepath.Join(root, repo))
	if err != nil {
		return "", fmt.Errorf("find the clone of %s: %w", repo, err)
	}
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	return dir, git(ctx, "", "clone", "--quiet", "https://github.com/"+repo, dir)
}

func git(ctx context.Context, dir string, args ...string) error {
	_, err := proc.Run(ctx, -1, proc.Command{Program: "git", Args: args, Dir: dir})
	if err != nil {
		return fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return nil
}
