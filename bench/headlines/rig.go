package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
)

// rig is what all sections measure with.
type rig struct {
	hone    honecli.Hone // runs in the root of the repository
	version string
	dir     string // for ledgers and programs
	quick   bool
	// disturbed and repeated add up over the section that is measured: what else the machine
	// did, and what hone said of measurements that were invalid and taken again.
	disturbed conditions
	repeated  []string
}

// newRig prepares a place for ledgers and programs; the caller removes it.
func newRig(ctx context.Context, c config) (*rig, error) {
	hone, err := honecli.Find(c.hone)
	if err != nil {
		return nil, err
	}
	if hone.Dir, err = filepath.Abs(".."); err != nil {
		return nil, err
	}
	r := &rig{hone: hone, quick: c.quick}
	if r.version, err = hone.Version(ctx); err != nil {
		return nil, err
	}
	r.dir, err = os.MkdirTemp("", "headlines-")
	return r, err
}

// budget is d, or a tenth of it where nothing but trying is wanted.
func (r *rig) budget(d time.Duration) string {
	if r.quick {
		d /= 10
	}
	return d.String()
}

// rounds is how often what has no comparison of hone's own is measured: six are the
// least that give a 95 % interval.
func (r *rig) rounds() int {
	if r.quick {
		return 2
	}
	return 6
}

// inTurns takes a sample of each of n in every round, in random order.
func inTurns[T any](r *rig, n int, take func(i, round int) (T, error)) ([][]T, error) {
	samples := make([][]T, n)
	err := figures.InTurns(r.rounds(), n, func(round, i int) error {
		s, err := take(i, round)
		samples[i] = append(samples[i], s)
		return err
	})
	return samples, err
}

// attempts are how often a measurement is taken that hone calls invalid: on a busy machine
// one of dozens may be, and the page says so.
const attempts = 3

// ask runs a command of hone in a directory of the repository and reads the document that it
// prints. Exit codes in fine come with a document.
func (r *rig) ask(ctx context.Context, dir string, into any, fine []int, command string, args ...string) error {
	hone := r.hone
	hone.Dir = filepath.Join(hone.Dir, dir)
	args = append(append(strings.Fields(command), "--json", "--ledger", filepath.Join(r.dir, "ledger")), args...)
	for attempt := 1; ; attempt++ {
		d, err := hone.Ask(ctx, into, fine, args...)
		if err == nil || d.Code != honecli.Invalid || attempt == attempts || ctx.Err() != nil {
			return err
		}
		first, _, _ := strings.Cut(string(d.Stderr), "\n")
		r.repeated = append(r.repeated, first)
	}
}

// run is hone run.
func (r *rig) run(ctx context.Context, fine []int, args ...string) (runDocument, error) {
	var d runDocument
	err := r.ask(ctx, "", &d, fine, "run --quiet", args...)
	r.disturbed.add(d.Conditions.Total)
	return d, err
}

// compare is hone compare, which may end undecided: the interval says so.
func (r *rig) compare(ctx context.Context, budget time.Duration, args ...string) (comparison, error) {
	var c comparison
	err := r.ask(ctx, "", &c, []int{honecli.Undecided}, "compare --quiet --no-profile --budget "+r.budget(budget), args...)
	for _, d := range c.Runs {
		r.disturbed.add(d.Conditions.Total)
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

// conditions are what else happened on the machine during timed load, as hone noted it.
type conditions struct {
	Elapsed int64 `json:"elapsed_ns"`
	Others  int64 `json:"others_cpu_ns"`
	// Steal is the time that the host took, as a share of all CPUs.
	Steal float64 `json:"steal_share"`
	// CPUs are those of the machine.
	CPUs int `json:"-"`
}

func (c *conditions) add(more conditions) {
	if all := c.Elapsed + more.Elapsed; all > 0 {
		c.Steal = (c.Steal*float64(c.Elapsed) + more.Steal*float64(more.Elapsed)) / float64(all)
	}
	c.Elapsed += more.Elapsed
	c.Others += more.Others
}

func (c conditions) String() string {
	if c.Elapsed == 0 {
		return "hone noted nothing about what else the machine did."
	}
	return fmt.Sprintf("Meanwhile other programs had %.1f %% of the CPUs, and the host took %.1f %%.",
		100*float64(c.Others)/float64(c.Elapsed)/float64(c.CPUs), 100*c.Steal)
}
