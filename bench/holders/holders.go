// Package holders judges by what name hone profile holders calls who holds the memory of a program. The programs are the corpus, a
// module of its own: each builds up its heap, dumps it, lets go of it, and says what that freed. A program names its holder in
// comments at the declarations; a decoy allocates much and holds nothing.
//
// The first line of hone is to have one of the names, and its bytes are to be within 5 % of what clearing frees. Of a decoy no holder
// may be named that has more than a tenth of what was allocated. A seed puts half of the programs into the closed half: of those the
// report has only sums, so that a rule is not made to fit them.
package holders

import (
	"context"
	"slices"
	"strconv"

	"github.com/gohone/hone/bench/bed"
)

// Case is the benchmark.
var Case = bed.Case{
	Name: "holders", Shows: "is the variable or field that holds the memory named, on programs by another author", Takes: "3 minutes",
	Needs: "a C compiler for one program", About: []string{"prof/holders"},
	Run: run,
}

type config struct {
	*bed.Bed
	closed bool
}

func run(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b}
	var only, sizes []string
	b.KeepsByVersion("../bin/holders.jsonl")
	b.Words(&only, "only", "", "programs to try, such as sessions,shop; all if empty")
	b.Words(&sizes, "gb", "", "sizes of heaps in GB, such as 0.1,1,2: measure what those of a few programs cost, and judge none")
	b.BoolVar(&c.closed, "closed", false, "report each program of the closed half, too: they are then known")
	seed := b.String("seed", "1", "word that chooses the closed half")
	b.Read()
	bytes := c.bytes(sizes)
	if err := b.Start(ctx); err != nil {
		return err
	}
	programs, err := openCorpus(corpusDir, *seed)
	if err != nil {
		return err
	}
	some, err := tasks(programs, only, bytes)
	if err != nil {
		return err
	}
	todo := func(ctx context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
		done := has(j.Records, j.Current)
		lacking := slices.DeleteFunc(slices.Clone(some), func(t task) bool { return !c.Again && done[key{t.Name, t.bytes}] })
		here, err := buildable(ctx, corpusDir)
		measure := func(ctx context.Context, t task) ([]record, error) { return c.measure(ctx, t, here) }
		return bed.Each(lacking, task.String, measure), err
	}
	write := func(r *bed.Result, all []record) { c.write(r, all, programs) }
	return bed.Calibration[record]{Schema: schema, Todo: todo, Write: write}.Run(ctx, b)
}

// bytes reads sizes of heaps.
func (c config) bytes(gigabytes []string) (all []int64) {
	for _, text := range gigabytes {
		n, err := strconv.ParseFloat(text, 64)
		c.Want(err == nil && n > 0, "-gb has %q, want a number above 0", text)
		all = append(all, int64(n*1e9))
	}
	return all
}
