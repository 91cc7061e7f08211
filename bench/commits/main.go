// Command commits measures public commits that claim to make something faster, and commits that change no line that
// the benchmark runs: by hone bench, for benchstat in the same time, and by a long run that is taken for the truth.
//
//	go build -o bin/hone ./cmd/hone
//	cd bench && go run ./commits
//
// The repositories are cloned where -clones says, unless they are there. Every commit is one line
// in a file of results, so that a measurement that was interrupted goes on where it stopped. Nothing else
// should run meanwhile.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gohone/hone/bench/gotest"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/results"
	"github.com/gohone/hone/bench/side"
)

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
	hone, results, doc, clones string
	budget                     time.Duration
	rounds                     int
	resume, report             bool
}

func main() { side.Main("commits", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("commits")
	fs.Hone(&c.hone)
	fs.StringVar(&c.results, "results", "commits/results.jsonl", "`file` of results, a line for each commit")
	fs.StringVar(&c.doc, "doc", "../docs/calibration-commits.md", "`file` that the document is written to")
	fs.StringVar(&c.clones, "clones", "", "`directory` of the repositories, each in OWNER/NAME; what is missing is cloned from GitHub (default: hone-bench in the user's cache)")
	fs.DurationVar(&c.budget, "budget", 30*time.Second, "time of hone, and of benchstat, for a commit")
	fs.IntVar(&c.rounds, "rounds", 60, "rounds of the long run, each of two fresh processes that run for a second")
	fs.BoolVar(&c.resume, "resume", true, "go on where the file of results ends; else begin anew and keep it as FILE.old")
	fs.BoolVar(&c.report, "report", false, "measure nothing, write the document from the results")
	fs.Read(args)
	fs.Want(c.budget > 0 && c.rounds >= leastRounds, "want some time, and 6 rounds at least")
	return c, fs.Faults()
}

// leastRounds are the fewest that have an interval (figures.Ratio).
const leastRounds = 6

func run(ctx context.Context, c config) error {
	if !c.report {
		if err := measure(ctx, c); err != nil {
			return err
		}
	}
	return results.Publish(c.results, resultsSchema, c.doc, document)
}

// measure takes the commits that the file of results lacks.
func measure(ctx context.Context, c config) (err error) {
	hone, err := honecli.Find(c.hone)
	if err != nil {
		return err
	}
	j, err := results.Open[record](c.results, resultsSchema, c.resume)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	todo := missing(j.Records)
	if len(todo) == 0 {
		return nil
	}
	session, err := results.Begin(ctx, hone, resultsSchema, "commits")
	if err != nil {
		return err
	}
	if err := j.Add(record{At: results.Now(), Session: session}); err != nil {
		return err
	}
	for _, what := range todo {
		fmt.Fprintf(os.Stderr, "%s %s %s: ", what.Repo, what.name(), what.Benchmark)
		r, err := c.take(ctx, hone, what)
		if err != nil {
			return fmt.Errorf("measure %s of %s: %w", what.name(), what.Repo, err)
		}
		fmt.Fprintf(os.Stderr, "truth %v, hone %v %s, benchstat %.4f p = %.3g\n", r.Truth, r.ByHone, r.Verdict, r.Classic.Ratio, r.Classic.P)
		if err := j.Add(r); err != nil {
			return err
		}
	}
	return nil
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
	r.At = results.Now()
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
