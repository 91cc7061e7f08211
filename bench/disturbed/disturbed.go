// Package disturbed judges whether hone names what disturbs a service, and is silent where nothing does. A seed draws
// runs of small services (package svc), half of them disturbed by what the case injects, for all of the run or now and
// then:
//
//   - hog: programs spin on the CPUs of the service;
//   - quota: --cpus gives it less than it would use;
//   - stopped: the service gets SIGSTOP, and SIGCONT 50 to 200 ms later;
//   - backend: the TCP proxy before its backend gets them;
//   - disk: one request in ten writes through to the disk beside a program that does so all the time; or the collector
//     that reads the service's journal from a pipe, as those of containers do, pauses.
//
// What is right follows from what was injected alone: the first cause of the slow tail is to be of that class, for the
// last two at a line that waits. Where all of the run is disturbed, and typical requests with it, the first finding
// about time may say it instead. The case verifies with clocks of its own that the injection did what it is for. A
// clean run is to have no finding of these classes. There one that writes through to the disk is not asked: it waits
// for the disk on a quiet machine, too.
//
// A machine that is busy with something else disturbs by itself. The case waits until threads that spin get their CPUs,
// and watches the CPU time of other programs and the share of the host meanwhile. Runs in which that was too much are
// put aside, and counted; so are those whose injection did nothing. The next session takes them again.
package disturbed

import (
	"context"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// Case is the benchmark.
var Case = bed.Case{
	Name:  "disturbed",
	Shows: "is it named what disturbs a service (a hog, a quota, a stop, a backend, a disk), and nothing in clean runs",
	Takes: "an hour on a quiet machine; goes on where it was", Run: run,
}

type config struct {
	*bed.Bed
	length, patience time.Duration
	anyway           bool
	tools
}

func run(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b}
	var only []cause
	b.KeepsByVersion("../bin/disturbed.jsonl")
	n := b.Int("n", perSide, "disturbed runs, and as many clean ones")
	seed := b.Uint64("seed", 1, "seed that draws the runs")
	b.DurationVar(&c.length, "d", 8*time.Second, "timed load of each run")
	b.DurationVar(&c.patience, "patience", time.Minute, "how long to wait before each run for a machine that is quiet")
	bed.Choice(b.Flags, &only, "only", "", "cause", causes, func(c cause) string { return string(c) }, "causes to inject")
	b.BoolVar(&c.anyway, "anyway", false,
		"do not wait for a quiet machine, to try the case: busy runs are put aside as ever")
	b.Read()
	b.Want(*n >= 0 && *n <= perSide, "want -n of 0 to %d", perSide)
	b.Want(c.length >= 3*time.Second, "want -d of 3s or more")
	if err := b.Start(ctx); err != nil {
		return err
	}
	runs := drawn(*seed, *n, only)
	todo := func(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
		done := has(j.Records, j.Current)
		lacking := slices.DeleteFunc(slices.Clone(runs), func(t task) bool { return !c.Again && done[t] })
		return bed.Each(lacking, task.String, c.measure), nil
	}
	write := func(r *bed.Result, all []record) { write(r, last(all), runs) }
	return bed.Calibration[record]{Schema: schema, Begin: c.begin, Todo: todo, Write: write}.Run(ctx, b)
}
