// Package insight holds what hone says about programs against what is true of them. The programs are the corpus, a module of its own;
// its README says who wrote them and how truth was measured. Those who write hone's rules look at one half of the corpus; the other
// half is packed and is opened with -closed, once, when the rules are done.
//
// A program with a defect: hone run, hone advise. The first finding is to be at the defect and of its kind, and the gain that it
// predicts is to be within 30 % of what the repair was measured to gain. A near miss is to be left alone.
//
// A service that waits, at two rates: hone run, hone tail. The first cause is to be the line at which slow requests lose most by the
// service's own record, in the right category, with a share within 15 points.
//
// A pair of versions: hone compare or, for a package with benchmarks, hone bench --profile. The verdict is to be
// right, its change near the true one, and the first line of why is to name the cause. Each line of why or but that names another
// place is false, and so is any line about versions that do the same work.
package insight

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// Case is the benchmark.
var Case = bed.Case{
	Name: "insight", Shows: "are findings, causes of waiting and reasons for verdicts right on programs by others", Takes: "half an hour for half of the corpus; goes on where it was", About: []string{"internal/insight", "prof"},
	Run: run,
}

type config struct {
	*bed.Bed
	duration time.Duration // of the timed load of a run
	closed   bool
}

func run(ctx context.Context, b *bed.Bed) (err error) {
	c := config{Bed: b}
	var only []string
	b.KeepsByVersion("../bin/insight.jsonl")
	b.Words(&only, "only", "", "programs to try, such as tolls,visitors; all if empty")
	b.DurationVar(&c.duration, "d", 5*time.Second, "timed load of each run")
	b.BoolVar(&c.closed, "closed", false, "the closed half of the corpus: its programs are then known")
	b.Read()
	b.Want(c.duration >= time.Second, "want -d of 1s or more")
	if err := b.Start(ctx); err != nil {
		return err
	}
	from, err := openCorpus(c.closed, b.Dir)
	if err != nil {
		return err
	}
	for _, name := range only {
		if from.named(name) == nil {
			return fmt.Errorf("-only: no program %q in this half of the corpus", name)
		}
	}
	c.Hone.Dir = from.dir
	todo := func(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
		lacking := slices.DeleteFunc(slices.Clone(from.programs), func(p *program) bool {
			return len(only) > 0 && !slices.Contains(only, p.Name) ||
				!c.Again && has(j.Records, p.Name, c.closed, j.Current)
		})
		return bed.Each(lacking, func(p *program) string { return p.Name }, c.take), nil
	}
	write := func(r *bed.Result, all []record) { write(r, all, from) }
	return bed.Calibration[record]{Schema: resultsSchema, Todo: todo, Write: write}.Run(ctx, b)
}
