// Package account judges the account of memory: hone profile memory PID. The programs are the corpus, a module of its own.
// Each has memory of one kind on top of a modest rest, says which in a comment, and stays while hone is asked.
//
// The parts have to add up to the resident set that the kernel says, within 3 %, without what hone calls not accounted; that
// has to be under 3 %. The kind that was planted has to be the largest part of those that the program could shrink. The
// program may not collect garbage for it. Memory that is not in the resident set (the page cache) counts in a control group
// only. A seed puts half of the programs into the closed half: of those the report has sums only, so that a rule is not
// made to fit them.
package account

import (
	"context"
	"slices"

	"github.com/gohone/hone/bench/bed"
)

// Case is the benchmark.
var Case = bed.Case{
	Name: "account", Shows: "do the parts of memory add up to the resident set, and is the largest one named",
	Takes: "3 minutes",
	Needs: "a C compiler for one program, a memory control group for another", About: []string{"internal/program/memory"},
	Run: run,
}

type config struct {
	*bed.Bed
	closed bool
}

func run(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b}
	var only []string
	b.KeepsByVersion("../bin/account.jsonl")
	b.Words(&only, "only", "", "programs to try, such as gateway,nightly; all if empty")
	b.BoolVar(&c.closed, "closed", false, "report each program of the closed half, too: they are then known")
	seed := b.String("seed", "1", "word that chooses the closed half")
	b.Read()
	if err := b.Start(ctx); err != nil {
		return err
	}
	programs, err := openCorpus(corpusDir, *seed)
	if err != nil {
		return err
	}
	some, err := named(programs, only)
	if err != nil {
		return err
	}
	todo := func(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
		done := has(j.Records, j.Current)
		lacking := slices.DeleteFunc(slices.Clone(some), func(p *program) bool { return !c.Again && done[p.Name] })
		return bed.Each(lacking, func(p *program) string { return p.Name }, c.measure), nil
	}
	write := func(r *bed.Result, all []record) { c.write(r, all, programs) }
	return bed.Calibration[record]{Schema: schema, Todo: todo, Write: write}.Run(ctx, b)
}
