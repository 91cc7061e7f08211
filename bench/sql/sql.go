// Package sql judges what hone says of how a service uses its database. The services are a module of its own (corpus): twelve with a
// defect, six of which have a slow statement and two each another, and eight decoys. A test holds them to their word without hone. Each
// is tried with SQLite and with PostgreSQL, where it is installed, with its defect and fixed.
//
// hone run loads a service; hone advise and hone tail are then read. The defect is named if one statement of theirs has its kind, the
// text of the SQL statement without values, and a line that the service's comments give. Of a fixed service and of a decoy hone must
// say none of it, and of a service with a defect nothing of another kind or another statement. A seed puts half of the services into the
// closed half: of those the report has only sums.
package sql

import (
	"context"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// Case is the benchmark.
var Case = bed.Case{
	Name: "sql", Shows: "is it named how a service uses its database badly, and nothing where it does not", Takes: "8 minutes for half of the services; goes on where it was",
	Needs: "PostgreSQL for half of the trials", About: []string{"internal/insight", "internal/program/sqltrace"},
	Run: run,
}

type config struct {
	*bed.Bed
	half   string
	closed bool
	length time.Duration
}

func run(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b}
	var only []string
	b.KeepsByVersion("../bin/sql.jsonl")
	b.Words(&only, "only", "", "services to try, such as orders,forum; all if empty")
	b.DurationVar(&c.length, "d", 5*time.Second, "timed load of each run")
	b.StringVar(&c.half, "half", bed.HalfOpen, "half of the services to measure: open or closed")
	b.BoolVar(&c.closed, "closed", false, "report each service of the closed half, too: they are then known")
	seed := b.String("seed", "1", "word that chooses the closed half")
	b.Read()
	b.Want(c.length >= time.Second, "want -d of 1s or more")
	b.Want(c.half == bed.HalfOpen || c.half == bed.HalfClosed, "want -half open or closed")
	if err := b.Start(ctx); err != nil {
		return err
	}
	all, err := openCorpus(*seed)
	if err != nil {
		return err
	}
	c.Hone.Dir = corpusDir
	todo := func(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
		done := has(j.Records, j.Current)
		lacking := slices.DeleteFunc(tasks(all, only), func(t task) bool { return !c.Again && done[t.key()] || t.half() != c.half })
		return bed.Each(lacking, task.String, c.take), nil
	}
	write := func(r *bed.Result, records []record) { c.write(r, last(records), all) }
	return bed.Calibration[record]{Schema: schema, Todo: todo, Write: write}.Run(ctx, b)
}
