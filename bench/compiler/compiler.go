// Package compiler judges whether hone bench names what the compiler decided otherwise. The corpus has pairs of versions of
// a small package with a benchmark. In version B a function is no longer inlined, a value escapes to the heap, a bounds
// check came, a call is no longer direct, or a conversion allocates. Each pair says which, and where.
//
// A and B are two commits of a repository. Of those hone finds slower, one line has to name the kind and the function or
// the line. On public commits that change nothing (bench/corpus) no line may name a kind. A seed puts half of the pairs
// into the closed half: of those the report has sums only, so that a rule is not made to fit them.
package compiler

import (
	"context"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// Case is the benchmark.
var Case = bed.Case{
	Name: "compiler", Shows: "is the decision of the compiler named that made a benchmark slower",
	Takes: "20 minutes; with -noops 60 another 30", About: []string{"internal/program/decisions", "prof/diff"},
	Run: run,
}

type config struct {
	*bed.Bed
	budget time.Duration
	closed bool
	clones corpus.Clones
}

func run(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b}
	var only []string
	b.KeepsByVersion("../bin/compiler.jsonl")
	b.Words(&only, "only", "", "pairs to try, such as scan,cart; all if empty")
	noOps := b.Int("noops", 0, "public commits that change nothing, on which no decision may be named")
	b.DurationVar(&c.budget, "budget", 20*time.Second, "time of hone for a pair or a commit")
	b.BoolVar(&c.closed, "closed", false, "report each pair of the closed half, too: they are then known")
	seed := b.String("seed", "1", "word that chooses the closed half")
	c.clones.Flag(b)
	b.Read()
	b.Want(c.budget >= time.Second, "want -budget of 1s or more")
	b.Want(*noOps >= 0, "want no number of commits below 0")
	if err := b.Start(ctx); err != nil {
		return err
	}
	pairs, err := openCorpus(corpusDir, *seed)
	if err != nil {
		return err
	}
	some, err := tasks(pairs, only, *noOps)
	if err != nil {
		return err
	}
	todo := func(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
		done := has(j.Records, j.Current)
		lacking := slices.DeleteFunc(slices.Clone(some), func(t task) bool { return !c.Again && done[t.String()] })
		return bed.Each(lacking, task.String, c.measure), nil
	}
	write := func(r *bed.Result, all []record) { c.write(r, all, pairs) }
	return bed.Calibration[record]{Schema: schema, Todo: todo, Write: write}.Run(ctx, b)
}
