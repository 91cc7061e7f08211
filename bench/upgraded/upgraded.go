// Package upgraded judges whether hone upgrade names the part of a Go release that carries a change: of public services
// under load, and of the benchmarks of public libraries, between two releases each. The programs were chosen before
// anything was measured, by what they do: JSON, much garbage, many small allocations, maps.
//
// The truth is a second measurement with another seed, by hone compare or hone bench: the newer release with itself
// without one part, for each part that hone tried, and the older release with the newer one. A part carries a change
// where it makes up 70 % of it there. hone is to name it, and what the second measurement finds of the parts is to add
// up, with hone's rest, to a sum in hone's interval of the whole. As a control the part that hone named is switched off
// on both sides: then it may not be named.
//
// What it does not show: TLS, which none of these programs speaks; hone's two ways to compare, which are those of the
// truth as well.
package upgraded

import (
	"context"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// Case is the calibration.
var Case = bed.Case{
	Name: "upgraded", Shows: "is the part of a Go release named that changes a public program",
	Takes: "two hours; goes on where it was", Needs: "clones from GitHub, modules, releases of Go",
	About: slices.Concat([]string{"internal/program/release", "internal/conduct/tune"}, bed.AboutBothVerdicts),
	Run:   run,
}

type config struct {
	*bed.Bed
	clones corpus.Clones
	budget time.Duration
}

func run(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b}
	var some []program
	b.KeepsByVersion("results/upgraded.jsonl")
	c.clones.Flag(b)
	bed.Choice(b.Flags, &some, "only", "", "program", programs, program.String, "programs")
	b.DurationVar(&c.budget, "budget", time.Minute, "time of each comparison; a trial has five and more")
	b.Read()
	b.Want(c.budget >= time.Second, "want -budget of 1s or more")
	if err := b.Start(ctx); err != nil {
		return err
	}
	todo := func(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
		done := bed.Done(j.Records, j.Current, record.named, func(record) bool { return true })
		lacking := slices.DeleteFunc(slices.Clone(some), func(p program) bool { return !c.Again && done[p.String()] })
		return bed.Each(lacking, program.String, bed.One(c.take)), nil
	}
	return bed.Calibration[record]{Schema: schema, Todo: todo, Write: write}.Run(ctx, b)
}
