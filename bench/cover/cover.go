// Package cover judges what hone cover says of how much of production a load exercises, and how much of it a load does that hone fits to
// an access log. Ten services (package services) have a hidden load each, drawn by a seed: endpoints, popular keys, sizes, bursts. A
// driver that has nothing of hone's engine sends it, and a CPU profile is taken meanwhile, as of production.
//
// Stated against true overlap. Two profiles of one load have to show 100 within the interval. A profile of the load without some of its
// requests has to show the true overlap within 3 points. The truth is computed here, from long profiles of the missing requests alone and
// of all others alone, and from the CPU time that the kernel counted for each. Pairs of profiles that are drawn from these two show the
// same without what the machine does to a measurement.
//
// A fitted load. hone has the log of production alone. hone run with the load that it makes of the log has to reach 85 %.
//
// A seed puts half of the services into the closed half: of those the report has only sums.
package cover

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/cover/services"
	"github.com/gohone/hone/bench/proc"
)

// Case is the benchmark.
var Case = bed.Case{
	Name: "cover", Shows: "is it right how much of production a load is said to exercise, and how much does one do that is fitted to a log", Takes: "20 minutes for half of the services; goes on where it was", About: []string{"prof/production"},
	Run: run,
}

type config struct {
	*bed.Bed
	program    string // of the services
	files      string // directory of the files of one service
	length     time.Duration
	half, seed string
	closed     bool
}

func run(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b, program: filepath.Join(b.Dir, "svc")}
	var only []services.Service
	b.KeepsByVersion("../bin/cover.jsonl")
	bed.Choice(b.Flags, &only, "only", "", "service", services.All, func(s services.Service) string { return s.Name }, "services to try")
	b.DurationVar(&c.length, "d", 30*time.Second, "length of each profile")
	b.StringVar(&c.seed, "seed", "1", "word that draws the hidden loads and the closed half")
	b.StringVar(&c.half, "half", bed.HalfOpen, "half of the services to measure: open or closed")
	b.BoolVar(&c.closed, "closed", false, "report each service of the closed half, too: they are then known")
	b.Read()
	b.Want(c.length >= time.Second, "want -d of 1s or more")
	b.Want(c.half == bed.HalfOpen || c.half == bed.HalfClosed, "want -half open or closed")
	if err := b.Start(ctx); err != nil {
		return err
	}
	halfOf := halves(c.seed)
	c.Hone.Dir = packageDir
	begin := func(ctx context.Context) error { return proc.BuildGo(ctx, packageDir, c.program, "./svc") }
	todo := func(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
		done := has(j.Records, j.Current)
		lacking := slices.DeleteFunc(slices.Clone(only), func(s services.Service) bool {
			return !c.Again && done[s.Name] || halfOf[s.Name] != c.half
		})
		return bed.Each(lacking, func(s services.Service) string { return s.Name }, c.measure), nil
	}
	write := func(r *bed.Result, all []record) { c.write(r, last(all), halfOf) }
	return bed.Calibration[record]{Schema: schema, Begin: begin, Todo: todo, Write: write}.Run(ctx, b)
}

// halves says of each service in which half it is.
func halves(seed string) map[string]string {
	all := map[string]string{}
	var names []string
	for _, s := range services.All {
		all[s.Name] = bed.HalfOpen
		names = append(names, s.Name)
	}
	for _, name := range bed.ClosedHalf(names, seed) {
		all[name] = bed.HalfClosed
	}
	return all
}
