// Package reach holds what hone says of changed functions, executed or not, against an instrument of its own
// (bench/counters), which knows nothing of how hone finds it out. Of public commits it reads which functions differ,
// writes counters into them on both sides, and runs the tests and each benchmark; hone reach says of the same commits
// what executes which function. Into services it plants slow-downs, in functions that a load executes and in others;
// hone compare says of each whether its load executes what changed.
//
// What it does not show: test files and assembly, which have no counters on either way; a function that tests execute
// at random; more of a benchmark than one operation.
package reach

import (
	"context"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// Case is the trial.
var Case = bed.Case{
	Name: "reach", Shows: "what hone says is executed of a change, against counters that are written into the source",
	Takes: "5 hours; goes on where it was; needs no quiet machine", Needs: "clones from GitHub, modules", About: []string{"internal/program/reach", "internal/conduct/testreach"},
	Run: run,
}

type config struct {
	*bed.Bed
	clones     corpus.Clones
	n, planted int
	only       []string
}

func run(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b}
	b.Keeps("results/reach.jsonl")
	b.BoolVar(&b.Again, "again", false, "take once more what hone was not right about")
	c.clones.Flag(b)
	b.IntVar(&c.n, "n", 100, "public commits with changed functions, of all libraries by turns")
	b.IntVar(&c.planted, "planted", 30, "slow-downs in functions that a load executes, and as many in others")
	b.Words(&c.only, "repo", "", "only these repositories, OWNER/NAME; all for \"\"")
	b.Read()
	b.Want(c.n >= 0 && c.planted >= 0, "want 0 commits or more")
	if err := b.Start(ctx); err != nil {
		return err
	}
	return bed.Calibration[record]{Schema: resultsSchema, Todo: c.todo, Write: document}.Run(ctx, b)
}

// todo are the commits that the records lack, and after them the slow-downs.
func (c config) todo(ctx context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
	commits, err := c.commits(ctx, j.Records)
	if err != nil {
		return nil, err
	}
	if todo := bed.Each(commits, corpus.Commit.String, bed.One(c.take)); len(todo) > 0 {
		return todo, nil
	}
	slowdowns, err := c.slowdowns(ctx, j.Records)
	return bed.Each(slowdowns, slowdown.String, bed.One(c.plant)), err
}
