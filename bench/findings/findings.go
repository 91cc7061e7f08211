// Package findings holds hone advise against programs whose defects are known. For each rule there are three programs under
// internal/insight/advice/testdata: speaks has the defect, planted in a service with other work around it; fixed is the same without the
// defect and answers the same; silent looks like it and is right as it is. Each is loaded by hone run, and hone advise is judged:
//
//   - A defect is found if a finding of the rule under trial is at the planted line, some lines from it, or in its function.
//   - The predicted gain agrees if it is within 30 % of what hone compare shows between speaks and fixed in the same measure.
//   - Other findings above 3 % are judged by a reader of the source (reviewed.jsonl): true, true but not worth a change, or false.
package findings

import (
	"context"
	"errors"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// Case is the benchmark.
var Case = bed.Case{
	Name: "findings", Shows: "does hone advise find planted defects, stay silent on near misses, and predict the gain", Takes: "40 minutes; goes on where it was", Run: run,
}

type config struct {
	*bed.Bed
	record   string
	trials   []*trial
	parts    []part
	duration time.Duration // of the timed load of a run
	budget   time.Duration // of a comparison
	again    bool
}

func run(ctx context.Context, b *bed.Bed) (err error) {
	c := config{Bed: b}
	var only []string
	b.Keeps("../bin/findings.jsonl")
	b.StringVar(&c.record, "record", "", "`directory` that gets RULE/PART.view of each run, for the tests of the rules; none if empty")
	b.Words(&only, "only", "", "rules to try, such as json-any,boxing; all if empty")
	bed.Choice(b.Flags, &c.parts, "parts", "speaks,silent,fixed,gain", "part", parts, func(p part) string { return string(p) }, "what to measure of each trial")
	b.DurationVar(&c.duration, "duration", 3*time.Second, "timed load of each run")
	b.DurationVar(&c.budget, "budget", 20*time.Second, "time limit of each comparison")
	b.BoolVar(&c.again, "again", false, "measure also what these results have, and take the later result")
	b.Read()
	b.Want(c.duration >= time.Second && c.budget >= time.Second, "want -duration and -budget of 1s or more")
	c.trials, err = chosen(only)
	b.Want(err == nil, "%w", err)
	if err := b.Start(ctx); err != nil {
		return err
	}
	reviews, err := readReviews("findings/reviewed.jsonl")
	if err != nil {
		return err
	}
	var failed error
	if !b.Report {
		failed = c.measure(ctx)
	}
	return errors.Join(failed, bed.Publish(b, resultsSchema, func(r *bed.Result, all []record) { write(r, all, reviews) }))
}
