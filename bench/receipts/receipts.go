// Package receipts measures whether hone verify tells honest receipts from forged ones, on another day than the one on
// which they were made.
//
// Honest ones are of public commits that make a benchmark faster (optimise), of planted slow-downs, as patches, and of
// stages of a service of this repository. A forged one is an honest one that a forger has changed who knows
// docs/receipts.md: he makes digests anew, and mostly his figures fit together. Each receipt is in its line of
// the results. It is verified once it is old enough, by a hone that has no ledger, in a repository that has the
// commits.
//
// An honest receipt is to hold. A forged one is not to hold: it is refused when it is read, the second measurement
// excludes it, or it leaves the answer open; the report has the three apart. A receipt that claims nothing counts, and
// does not hold.
//
// What it does not show: another machine, unless the file of results is carried there.
package receipts

import (
	"context"
	"fmt"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// Case is the calibration.
var Case = bed.Case{
	Name: "receipts", Shows: "honest receipts that hold on another day, and forged ones that do not",
	Takes: "2 hours on each of two days; goes on where it was", Needs: "clones from GitHub, modules",
	About: append([]string{"internal/view/receipt", "internal/judge/repeat", "cmd/hone/internal/verify"},
		bed.AboutBothVerdicts...),
	Run: run,
}

type config struct {
	*bed.Bed
	clones    corpus.Clones
	some      []subject
	forged    int
	age       time.Duration
	budget    time.Duration
	now       func() time.Time
	forgeries []forgery
}

// forgeries is how many forged receipts are verified.
const forgeries = 30

func run(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b, now: time.Now}
	b.Keeps("results/receipts.jsonl")
	c.clones.Flag(b)
	bed.Choice(b.Flags, &c.some, "only", "", "subject", subjects(), subject.String, "what receipts are of")
	bed.Choice(b.Flags, &c.forgeries, "forge", "", "forgery", kinds, func(f forgery) string { return string(f.kind) },
		"kinds of forged receipts")
	b.IntVar(&c.forged, "forged", forgeries, "forged receipts, of all kinds by turns")
	b.DurationVar(&c.age, "age", 20*time.Hour, "how old a receipt is at least when it is verified")
	b.DurationVar(&c.budget, "budget", 30*time.Second, "time of each comparison")
	b.Read()
	b.Want(c.forged >= 0 && c.age >= 0 && c.budget > 0, "want 0 forged receipts or more, of some age, in some time")
	if err := b.Start(ctx); err != nil {
		return err
	}
	return bed.Calibration[record]{Schema: resultsSchema, Todo: c.todo, Write: document}.Run(ctx, b)
}

// todo makes the receipts that the records lack, and verifies, and forges, those that are old enough.
func (c config) todo(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
	made := bed.Last(j.Records, func(r record) (string, bool) { return r.Subject, r.Receipt != "" && r.Said == nil })
	done := bed.Last(j.Records, func(r record) (string, bool) { return r.name(), r.Said != nil })
	var fresh []subject
	var old []record
	for _, s := range c.some {
		switch r, ok := made[s.String()]; {
		case !ok:
			fresh = append(fresh, s)
		case c.now().Sub(r.At) >= c.age:
			old = append(old, r)
		}
	}
	trials := bed.Each(fresh, func(s subject) string { return "make the receipt of " + s.String() }, bed.One(c.make))
	var verify []record
	for _, r := range old {
		if _, ok := done[r.name()]; !ok {
			verify = append(verify, r)
		}
	}
	trials = append(trials, bed.Each(verify, func(r record) string { return "verify that of " + r.Subject },
		bed.One(c.verify))...)
	forge, err := c.lacking(old, done)
	return append(trials, bed.Each(forge, func(o order) string { return o.of.name() }, bed.One(c.forge))...), err
}

// order is a receipt to forge and to verify.
type order struct {
	forgery
	of record // with the kind and the number, and with the honest receipt still
	// others are further honest receipts, for the forger.
	others []record
}

// lacking are the forged receipts that the records lack, by kinds in turn. The number is the seed: it draws which of
// the receipts that a kind can be made of is forged, and how.
func (c config) lacking(old []record, done map[string]record) (all []order, err error) {
	verified := map[int]bool{}
	for _, r := range done {
		verified[r.Number] = r.Forged != ""
	}
	for n := range c.forged {
		f := c.forgeries[n%len(c.forgeries)]
		if verified[n+1] {
			continue
		}
		var fit []record
		for _, r := range old {
			receipt, err := r.receipt()
			if err != nil {
				return nil, fmt.Errorf("read the receipt of %s: %w", r.Subject, err)
			}
			if f.fits(receipt) {
				fit = append(fit, r)
			}
		}
		if len(fit) == 0 {
			continue
		}
		r := fit[draws(n+1).IntN(len(fit))]
		r.Forged, r.Number = f.kind, n+1
		all = append(all, order{f, r, old})
	}
	return all, nil
}
