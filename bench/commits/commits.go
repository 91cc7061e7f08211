// Package commits measures public commits that claim to make something faster, and commits that change no line that the
// benchmark runs: by hone bench, for benchstat in the same time, and by a long run over link orders that is taken for
// the truth. The repositories are cloned where -clones says, unless they are there.
//
// What it does not show: one machine; benchstat has one order of functions for each side, as people have who use it; a
// commit is measured on a benchmark that its parent has, too, which may not be the one that its author had in mind.
package commits

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/gotest"
	"github.com/gohone/hone/bench/honecli"
)

// Case is the benchmark.
var Case = bed.Case{
	Name: "commits", Shows: "public commits that claim to be faster, by hone bench, for benchstat and by a long run",
	Takes: "50 minutes; goes on where it was",
	Needs: "clones from GitHub", Run: run,
}

// commit is a public commit, with what its message says about its benchmark, or about all.
type commit struct {
	corpus.Commit
	Claim string
}

// noOp claims nothing: it moves the functions of the program, and changes none.
const noOp = "nothing: adds a function that is never called"

// claims is a commit of the root package.
func claims(repo, hash, benchmark, claim string) commit {
	return commit{corpus.Commit{Repo: repo, Commit: hash, Benchmark: benchmark}, claim}
}

// adds is one more commit, on top of c.
func (c commit) adds(pkg string) commit {
	c.Adds, c.Claim = corpus.AddUnused(pkg), noOp
	return c
}

// commits are what is measured: those of well-known libraries whose benchmarks build with today's Go.
var commits = []commit{
	claims("BurntSushi/toml", "6fb5266", "Example/decode", "20 to 30 % faster"),
	claims("bits-and-blooms/bitset", "8b8b79b", "Set", "~10 % in some benchmarks"),
	claims("google/uuid", "85223fa", "ParseBadLength", "15.4 ns to 3.5 ns: -77 %"),
	claims("julienschmidt/httprouter", "8222db1", "PathClean", "avoid allocations in the common case"),
	claims("rs/zerolog", "14dcf38", "LogFields", "-1.23 % (p=0.000 n=10+10)"),
	claims("shopspring/decimal", "0cada0b", "NewFromStringFloat", "optimize a bit"),
	claims("BurntSushi/toml", "6fb5266", "Example/decode", "").adds("toml"),
	claims("julienschmidt/httprouter", "8222db1", "PathClean", "").adds("httprouter"),
	claims("shopspring/decimal", "0cada0b", "NewFromStringFloat", "").adds("decimal"),
}

type config struct {
	clones corpus.Clones
	budget time.Duration
	rounds int
}

// leastRounds are the fewest that have an interval (figures.Ratio).
const leastRounds = 6

func run(ctx context.Context, b *bed.Bed) error {
	var c config
	b.Keeps("results/commits.jsonl")
	c.clones.Flag(b)
	b.DurationVar(&c.budget, "budget", 30*time.Second, "time of hone, and of benchstat, for a commit")
	b.IntVar(&c.rounds, "rounds", 60, "rounds of the long run, each of two fresh processes that run for a second")
	b.Read()
	b.Want(c.budget > 0 && c.rounds >= leastRounds, "want some time, and 6 rounds at least")
	if err := b.Start(ctx); err != nil {
		return err
	}
	todo := func(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
		take := func(ctx context.Context, what commit) (record, error) { return c.take(ctx, b.Hone, what) }
		return bed.Each(missing(j.Records), commit.String, bed.One(take)), nil
	}
	return bed.Calibration[record]{Schema: resultsSchema, Todo: todo, Write: document}.Run(ctx, b)
}

// String is a record as progress shows it.
func (r record) String() string {
	return fmt.Sprintf("truth %v, hone %v %s, benchstat %.4f p = %.3g", r.Truth, r.ByHone, r.Verdict, r.Classic.Ratio,
		r.Classic.P)
}

// take measures one commit in all three ways.
func (c config) take(ctx context.Context, hone honecli.Hone, what commit) (record, error) {
	r := record{Commit: what.Name(), Repo: what.Repo, Benchmark: what.Benchmark, Budget: c.budget, Rounds: c.rounds}
	dir, err := os.MkdirTemp("", "hone-commits-")
	if err != nil {
		return r, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	trees, err := c.clones.CheckOut(ctx, what.Commit, dir)
	if err != nil {
		return r, err
	}
	sides, err := what.Build(ctx, trees, dir)
	if err != nil {
		return r, err
	}
	hone.Dir, hone.Ledger = sides[1].Dir, filepath.Join(dir, "ledger")
	b, err := hone.Bench(ctx, "--vs", what.Base(), "--bench", what.Pattern(), "--budget", c.budget.String())
	if err != nil {
		return r, err
	}
	r.hone(b)
	if r.Classic, err = gotest.OldThenNew(ctx, sides[0], sides[1], c.budget); err != nil {
		return r, err
	}
	r.Truth, err = gotest.Truth(ctx, sides[0].Dir, sides[1].Dir, what.Pattern(), dir, c.rounds, time.Second)
	return r, err
}
