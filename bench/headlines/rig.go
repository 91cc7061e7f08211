package headlines

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/internal/sys/machine"
)

// rig is what all sections measure with.
type rig struct {
	hone  honecli.Hone // runs in the root of the repository
	dir   string       // for ledgers and programs
	quick bool
	part  // that is measured
}

// pick is short where nothing but trying is wanted, else full.
func pick[T any](quick bool, short, full T) T {
	if quick {
		return short
	}
	return full
}

// budget is d, or a tenth of it where nothing but trying is wanted.
func (r *rig) budget(d time.Duration) string { return pick(r.quick, d/10, d).String() }

// rounds is how often what has no comparison of hone's own is measured: six are the
// least that give a 95 % interval.
func (r *rig) rounds() int { return pick(r.quick, 2, 6) }

// ladder has a row for each stage: the median of its samples, and the ratio to the stage
// before it over the rounds.
func ladder(samples [][]float64, of func(stage int, median float64) row) (rows []row, err error) {
	for i, x := range samples {
		next := of(i, figures.Median(x))
		if i > 0 {
			if next.Ratio, err = figures.Paired(samples[i-1], x); err != nil {
				return rows, fmt.Errorf("%s: %w", next.What, err)
			}
		}
		rows = append(rows, next)
	}
	return rows, nil
}

// attempts are how often a measurement is taken that hone calls invalid: on a busy machine
// one of dozens may be, and the page says so.
const attempts = 3

// ask runs a command of hone in a directory of the repository and reads the document that it
// prints. Exit codes in fine come with a document.
func (r *rig) ask(ctx context.Context, dir string, into any, fine []int, command string, args ...string) error {
	hone := r.hone
	hone.Dir = filepath.Join(hone.Dir, dir)
	for attempt := 1; ; attempt++ {
		d, err := hone.Ask(ctx, into, fine, command, args...)
		if err == nil || d.Code != honecli.Invalid || attempt == attempts || ctx.Err() != nil {
			return err
		}
		first, _, _ := strings.Cut(string(d.Stderr), "\n")
		r.Repeated = append(r.Repeated, first)
	}
}

// run is hone run.
func (r *rig) run(ctx context.Context, fine []int, args ...string) (runDocument, error) {
	var d runDocument
	err := r.ask(ctx, "", &d, fine, "run --quiet", args...)
	r.Disturbed = append(r.Disturbed, d.Conditions.Total)
	return d, err
}

// compare is hone compare, which may end undecided: the interval says so.
func (r *rig) compare(ctx context.Context, budget time.Duration, args ...string) (comparison, error) {
	var c comparison
	err := r.ask(ctx, "", &c, []int{honecli.Undecided}, "compare --quiet --no-profile --budget "+r.budget(budget),
		args...)
	for _, d := range c.Runs {
		r.Disturbed = append(r.Disturbed, d.Conditions.Total)
	}
	return c, err
}

// build builds programs of the repository into r.dir.
func (r *rig) build(ctx context.Context, packages ...string) error {
	return proc.BuildGo(ctx, r.hone.Dir, r.dir+string(filepath.Separator), packages...)
}

// serve starts a stage of a service that was built.
func (r *rig) serve(ctx context.Context, name, stage string) (*proc.Server, error) {
	return proc.Serve(ctx, -1, proc.Command{Program: r.program(name), Args: []string{"-stage", stage}})
}

// program is the path of a program that build made.
func (r *rig) program(name string) string { return filepath.Join(r.dir, name) }

// meanwhile says what else happened on a machine of so many CPUs during timed load, as hone
// noted it.
func meanwhile(noted []machine.Disturbance, cpus int) string {
	all := machine.Summarize(noted).Total
	if all.Elapsed == 0 {
		return "hone noted nothing about what else the machine did."
	}
	others, steal := cmp.Or(all.Others, new(time.Duration)), cmp.Or(all.Steal, new(float64))
	return fmt.Sprintf("Meanwhile other programs had %.1f %% of the CPUs, and the host took %.1f %%.",
		100*float64(*others)/float64(all.Elapsed)/float64(cpus), 100**steal)
}
