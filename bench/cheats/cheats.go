package cheats

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// Case compares all pairs.
var Case = bed.Case{Name: "cheats", Shows: "are changes that only look faster called so, and honest ones faster",
	Takes: "40 minutes; goes on where it was", About: bed.AboutBothVerdicts, Run: run}

// The goals: 58 of 60 cheats, and every honest change.
const (
	caughtGoal = 58.0 / 60
	honestGoal = 1.0
)

type config struct {
	*bed.Bed
	budget time.Duration
	closed bool
}

func run(ctx context.Context, b *bed.Bed) error {
	all, err := corpus()
	if err != nil {
		return err
	}
	c := config{Bed: b}
	var some []pair
	var halves []string
	b.KeepsByVersion("../bin/cheats.jsonl")
	b.DurationVar(&c.budget, "budget", 20*time.Second, "time of hone for a pair")
	b.BoolVar(&c.closed, "closed", false, "report each pair of the closed half, too: they are then known")
	bed.Choice(b.Flags, &some, "pairs", "", "pair", all, func(p pair) string { return p.Name }, "pairs to compare")
	b.Words(&halves, "half", "", "half to compare, open or closed; without it both")
	b.Read()
	b.Want(c.budget >= time.Second, "want -budget of 1s or more")
	for _, half := range halves {
		b.Want(half == bed.HalfOpen || half == bed.HalfClosed, "-half %s: want open or closed", half)
	}
	if err := b.Start(ctx); err != nil {
		return err
	}
	todo := func(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
		done := bed.Done(j.Records, j.Current, record.name, func(record) bool { return true })
		lacking := slices.DeleteFunc(slices.Clone(some), func(p pair) bool {
			return len(halves) > 0 && !slices.Contains(halves, p.Half) || !b.Again && done[p.name()]
		})
		return bed.Each(lacking, c.shown, bed.One(c.take)), nil
	}
	write := func(r *bed.Result, all []record) { document(r, all, c.closed) }
	return bed.Calibration[record]{Schema: schema, Todo: todo, Write: write}.Run(ctx, b)
}

// shown is how progress names a pair: one of the closed half has no name there.
func (c config) shown(p pair) string {
	if !c.shows(p) {
		return "a pair of the closed half"
	}
	return p.Name
}

func (c config) shows(p pair) bool { return c.closed || p.Half != bed.HalfClosed }

// take compares a pair.
func (c config) take(ctx context.Context, p pair) (record, error) {
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "yes")
	}))
	defer backend.Close()
	s, err := ask(ctx, c.Hone, c.Dir, c.budget, p, backend.URL)
	if err != nil && ctx.Err() == nil && !c.shows(p) {
		err = errors.New("hone ended with a fault; -closed says which")
	}
	return c.recordOf(s), err
}
