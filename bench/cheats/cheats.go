package cheats

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// Case compares all pairs once.
var Case = bed.Case{Name: "cheats", Shows: "are changes that only look faster called so, and honest ones faster",
	Takes: "40 minutes", Run: run}

// The goals: 58 of 60 cheats, and every honest change.
const (
	caughtGoal = 58.0 / 60
	honestGoal = 1.0
)

func run(ctx context.Context, b *bed.Bed) error {
	all, err := corpus()
	if err != nil {
		return err
	}
	var some []pair
	var halves []string
	budget := b.Duration("budget", 20*time.Second, "time of hone for a pair")
	until := b.Duration("for", 0, "time after which no further pair begins; 0 means no limit")
	closed := b.Bool("closed", false, "report each pair of the closed half, too: they are then known")
	bed.Choice(b.Flags, &some, "pairs", "", "pair", all, func(p pair) string { return p.Name }, "pairs to compare")
	b.Words(&halves, "half", "", "half to compare, open or closed; without it both")
	b.Read()
	b.Want(*budget >= time.Second, "want -budget of 1s or more")
	for _, half := range halves {
		b.Want(half == bed.HalfOpen || half == bed.HalfClosed, "-half %s: want open or closed", half)
	}
	if err := b.Start(ctx); err != nil {
		return err
	}
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "yes")
	}))
	defer backend.Close()
	r, begun := newReport(b, *closed), time.Now()
	for _, p := range some {
		if len(halves) > 0 && halves[0] != p.Half || *until > 0 && time.Since(begun) > *until {
			continue
		}
		s, err := ask(ctx, b.Hone, b.Dir, *budget, p, backend.URL)
		if err != nil {
			err = fmt.Errorf("compare %s: %w", p.Name, err)
			r.write(budget.String())
			return err
		}
		r.add(s)
	}
	r.write(budget.String())
	return nil
}
