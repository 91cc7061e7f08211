// Package proven takes the trials that calibrations lack. Which case is next is drawn, with a probability as large as
// the time that the case lacks, so that a cut leaves no case empty. It says of each how many trials there are, which of
// them are of the code as it is now, what its goals say, and how long the rest takes.
//
// Trials are of the code as it is now where no code has changed since of what the case is about (bed.Case.About).
package proven

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// Case is the conductor of the others.
var Case = bed.Case{
	Name: "proven", Shows: "what the calibrations lack, and takes it: of all cases by turns",
	Takes: "days; goes on where it was, in pieces: -for 60m", Needs: "clones from GitHub, modules", Run: run,
}

func run(ctx context.Context, b *bed.Bed) error {
	var some []wanted
	b.DurationVar(&b.For, "for", time.Hour, "time after which no further trial begins")
	piece := b.Duration("piece", 5*time.Minute, "time of one case before the next one is drawn")
	b.BoolVar(&b.Report, "report", false, "measure nothing, list what is wanted")
	bed.Choice(b.Flags, &some, "only", "", "case", all, func(w wanted) string { return w.name() }, "cases")
	b.Read()
	b.Want(*piece > 0, "want some time for a case")
	if err := b.Start(ctx); err != nil {
		return err
	}
	cases := make([]*progress, len(some))
	for i, w := range some {
		cases[i] = &progress{wanted: w}
		cases[i].look(ctx)
	}
	var failed error
	if !b.Report {
		failed = measure(ctx, b, cases, *piece)
	}
	write(b.Result, cases)
	return failed
}

// progress is how far a case is.
type progress struct {
	wanted
	bed.State
	fault error // it cannot go on
}

// look counts what the case has.
func (p *progress) look(ctx context.Context) { p.State, p.fault = p.Case.State(ctx, p.args...) }

// lacks is the time that is wanted.
func (p *progress) lacks() time.Duration {
	if p.fault != nil {
		return 0
	}
	return time.Duration(p.Lacks) * p.Each
}

// measure takes pieces of cases until the time is over or nothing is lacking.
func measure(ctx context.Context, b *bed.Bed, cases []*progress, piece time.Duration) error {
	var failed error
	for end := time.Now().Add(b.For); time.Now().Before(end) && ctx.Err() == nil; {
		p := draw(cases, rand.Float64())
		if p == nil {
			break
		}
		b.Progress("%s: %d trials of %v are lacking", p.name(), p.Lacks, p.Each.Round(time.Second))
		err := p.Case.GoOn(ctx, min(piece, time.Until(end)), p.args...)
		if p.look(ctx); err != nil && ctx.Err() == nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", p.name(), err))
			p.fault = errors.Join(p.fault, err) // not again in this session
		}
	}
	return failed
}

// draw chooses a case by a number from 0 to 1; nil if nothing is lacking.
func draw(cases []*progress, at float64) (last *progress) {
	var sum time.Duration
	for _, p := range cases {
		sum += p.lacks()
	}
	left := time.Duration(at * float64(sum))
	for _, p := range cases {
		if p.lacks() == 0 {
			continue
		}
		if last = p; left < p.lacks() {
			break
		}
		left -= p.lacks()
	}
	return last
}

// write lists all cases and their goals.
func write(r *bed.Result, cases []*progress) {
	t := r.Table("Calibrations", "case", "trials", "of this code", "lacks", "hours left")
	goals := r.Table("Goals", "case", "what", "is (95 % interval)", "goal", "")
	for _, p := range cases {
		t.Row(p.name(), fmt.Sprint(p.Trials), fmt.Sprint(p.Current), fmt.Sprint(p.Lacks),
			fmt.Sprintf("%.1f", p.lacks().Hours()))
		if p.fault != nil {
			first, _, _ := strings.Cut(p.fault.Error(), "\n")
			t.Say("%s cannot go on: %s", p.name(), first)
		}
		if p.Result == nil {
			continue
		}
		for _, c := range p.Result.Claims {
			if c.Goal != "" {
				goals.Row(p.name(), c.What, c.Figure, c.Goal, c.Word())
			}
		}
	}
}
