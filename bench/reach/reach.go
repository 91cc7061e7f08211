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
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// Case is the trial.
var Case = bed.Case{
	Name: "reach", Shows: "what hone says is executed of a change, against counters that are written into the source",
	Takes: "5 hours; goes on where it was; needs no quiet machine", Needs: "clones from GitHub, modules", Run: run,
}

type config struct {
	*bed.Bed
	clones     corpus.Clones
	n, planted int
	again      bool
	only       []string
}

func run(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b}
	b.Keeps("results/reach.jsonl")
	c.clones.Flag(b)
	b.IntVar(&c.n, "n", 100, "public commits with changed functions, of all libraries by turns")
	b.IntVar(&c.planted, "planted", 30, "slow-downs in functions that a load executes, and as many in others")
	b.BoolVar(&c.again, "again", false, "take once more what hone was not right about")
	b.Words(&c.only, "repo", "", "only these repositories, OWNER/NAME; all for \"\"")
	b.Read()
	b.Want(c.n >= 0 && c.planted >= 0, "want 0 commits or more")
	if err := b.Start(ctx); err != nil {
		return err
	}
	if !b.Report {
		head := func(at time.Time, s *bed.Session) record { return record{At: at, Session: s} }
		err := bed.Measure(ctx, b, resultsSchema, head, func(j *bed.Journal[record]) error {
			if err := c.ofCommits(ctx, j); err != nil {
				return err
			}
			return c.ofPlanted(ctx, j)
		})
		if err != nil {
			return err
		}
	}
	return bed.Publish(b, resultsSchema, document)
}

// ofCommits takes the commits that the file of results lacks.
func (c config) ofCommits(ctx context.Context, j *bed.Journal[record]) error {
	todo, err := c.commits(ctx, j.Records)
	if err != nil {
		return err
	}
	return bed.Take(ctx, c.Bed, j, todo, corpus.Commit.String, func(ctx context.Context, what corpus.Commit) ([]record,
		error) {
		r, err := c.take(ctx, what)
		if err != nil {
			return nil, err
		}
		return []record{r}, nil
	})
}
