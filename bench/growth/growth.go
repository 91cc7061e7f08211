// Package growth judges what hone says of what a service keeps of each request. The services are of kinds (package leaks) that a test
// holds to their word without hone: with its defect a kind keeps heap, goroutines or descriptors, fixed it keeps nothing. Decoys
// allocate, fill a bounded cache, use a pool, or start goroutines, and keep nothing.
//
// A comparison of the fixed service, A, with the one with the defect, B, has to show within its budget that B keeps more in the measure
// that the defect is known for. That A keeps something is false, and so is that B keeps more of what it does not keep. Where both sides
// are the same service, or B is a decoy, any such verdict is false. A run of the service has to say that it grows, and that of a decoy
// must not. A seed puts half of the kinds into the closed half: of those the report has only sums.
package growth

import (
	"context"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/growth/leaks"
)

// Case is the benchmark.
var Case = bed.Case{
	Name: "growth", Shows: "is it seen what a service keeps of each request, and nothing where it keeps nothing", Takes: "20 minutes; goes on where it was", About: bed.AboutServices,
	Run: run,
}

type config struct {
	*bed.Bed
	closed         bool
	budget, length time.Duration
}

func run(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b}
	var only []leaks.Kind
	b.KeepsByVersion("../bin/growth.jsonl")
	bed.Choice(b.Flags, &only, "only", "", "kind", leaks.All, func(k leaks.Kind) string { return k.Name }, "kinds to try")
	b.DurationVar(&c.budget, "budget", 20*time.Second, "budget of each comparison")
	b.DurationVar(&c.length, "d", 6*time.Second, "timed load of each run")
	b.BoolVar(&c.closed, "closed", false, "report each kind of the closed half, too: they are then known")
	seed := b.String("seed", "1", "word that chooses the closed half")
	b.Read()
	b.Want(c.budget >= time.Second && c.length >= time.Second, "want -budget and -d of 1s or more")
	if err := b.Start(ctx); err != nil {
		return err
	}
	c.Hone.Dir = servicesDir
	halfOf := halves(*seed)
	take := func(ctx context.Context, t task) ([]record, error) { return c.take(ctx, t, halfOf[t.Name]) }
	todo := func(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
		done := has(j.Records, j.Current)
		lacking := slices.DeleteFunc(tasks(only), func(t task) bool { return !c.Again && done[key{t.Name, t.trial}] })
		return bed.Each(lacking, task.String, take), nil
	}
	write := func(r *bed.Result, all []record) { c.write(r, last(all), halfOf) }
	return bed.Calibration[record]{Schema: schema, Todo: todo, Write: write}.Run(ctx, b)
}
