// Package headlines measures every published ladder and headline of the six reference services on this machine, with
// hone itself: published and measured side by side.
//
// The published figures come from other machines, years and Go versions, and from other code: every service here is
// written anew. So only the ratios are to be held against each other: the same change, there and here. Published ratios
// have no interval. "x -> y" was measured together, before and after: x is not quite the y of the line above.
package headlines

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/internal/sys/machine"
)

// Case is the benchmark: -only framed and -only visits are the ladders of these services.
var Case = bed.Case{
	Name: "headlines", Shows: "every published ladder and headline of the reference services, measured here",
	Takes: "15 minutes",
	Needs: "g++ for two programs, ulimit -n of 18,500 for all users of the chat", Run: run,
}

// section is one system.
type section struct {
	// Name is what -only takes.
	Name  string
	Title string
	// About says what is measured, how, and what differs from the published measurement.
	About string
	// Measure returns the rows that it could measure, also with an error.
	Measure func(ctx context.Context, r *rig) ([]row, error)
}

// sections are the page, in its order.
var sections = []section{framed, rpc, tlsIdle, visits, chat, havlakLoops}

// row is one line of a section's table. What is empty or zero is left out.
type row struct {
	What      string
	Published string
	// PublishedRatio is Published relative to what Ratio is relative to.
	PublishedRatio float64
	Here           string
	Ratio          figures.Ratio
	Note           string
}

// part is a section that was measured.
type part struct {
	section
	Rows []row
	// Err is why rows are missing.
	Err  error
	Took time.Duration
	// Disturbed is what else the machine, with that many CPUs, did in each measurement.
	Disturbed []machine.Disturbance
	CPUs      int
	// Repeated is what hone said of invalid measurements that were taken again.
	Repeated []string
}

func parse(b *bed.Bed) (some []section, quick bool) {
	bed.Choice(b.Flags, &some, "only", "", "section", sections, func(s section) string { return s.Name },
		"sections to measure")
	b.BoolVar(&quick, "quick", false, "short budgets, to try whether everything runs: the figures mean nothing")
	b.Read()
	slices.SortFunc(some, func(a, b section) int { return place(a) - place(b) })
	return some, quick
}

// place is where a section stands among all.
func place(s section) int {
	return slices.IndexFunc(sections, func(o section) bool { return o.Name == s.Name })
}

func run(ctx context.Context, b *bed.Bed) error {
	some, quick := parse(b)
	if err := b.Start(ctx); err != nil {
		return err
	}
	r := &rig{hone: b.Hone, quick: quick, dir: b.Dir}
	var err error
	if r.hone.Dir, err = filepath.Abs(".."); err != nil {
		return err
	}
	var failed error
	for _, s := range some {
		b.Progress("%s", s.Name)
		p := r.measure(ctx, s)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p.show(b.Result)
		if p.Err != nil {
			failed = errors.Join(failed, fmt.Errorf("section %s: %w", s.Name, p.Err))
		}
	}
	return failed
}

// measure measures a section.
func (r *rig) measure(ctx context.Context, s section) part {
	began := time.Now()
	r.part = part{section: s, CPUs: runtime.NumCPU()}
	r.Rows, r.Err = s.Measure(ctx, r)
	r.Took = time.Since(began)
	return r.part
}
