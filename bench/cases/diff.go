package cases

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/prof/diff"
)

// Diff checks what hone profile diff colours on a real service: one function's work is halved and the load doubled, and
// that function alone is to be coloured; then the service is held against itself, and hardly anything is to be.
var Diff = bed.Case{Name: "diff", Shows: "does hone profile diff colour the function that changed, and no other",
	Takes: "10 minutes", Run: measureDiff}

// halved is the function that is changed.
const halved = "main.compare"

func measureDiff(ctx context.Context, b *bed.Bed) error {
	b.Repeats(10, "pairs of measurements of each kind")
	if err := b.Start(ctx); err != nil {
		return err
	}
	t := b.Table("Rounds", "round", "found", "also coloured", "against itself")
	alone, found, strangers, functions := 0, 0, 0, 0
	for i := range b.Rounds {
		d, err := diffed(ctx, b.Hone, "4000", "-half")
		if err != nil {
			return err
		}
		hit := slices.Contains(coloured(d), halved)
		others := slices.DeleteFunc(coloured(d), func(name string) bool { return name == halved })
		if hit {
			found++
		}
		if hit && len(others) == 0 {
			alone++
		}
		equal, err := diffed(ctx, b.Hone, "2000")
		if err != nil {
			return err
		}
		strange := coloured(equal)
		strangers, functions = strangers+len(strange), functions+len(equal.Rows)
		t.Row(fmt.Sprint(i+1), fmt.Sprint(hit), fmt.Sprintf("%d of %d %q", len(others), len(d.Rows), others),
			fmt.Sprintf("%d of %d %q", len(strange), len(equal.Rows), strange))
	}
	b.Claim("`hone profile diff` of a service, one function's work halved, the load doubled: coloured (wanted: at most 5 % of the others)",
		"found in %d of %d, alone in %d; against itself %d of %d functions", found, b.Rounds, alone, strangers,
		functions)
	return nil
}

// coloured are the functions that are not called the same.
func coloured(d diff.Diff) (names []string) {
	for _, r := range d.Rows {
		if r.Word != diff.Same {
			names = append(names, r.Function)
		}
	}
	return names
}

// diffed profiles the service at 2,000 requests/s, and again at another rate and with other flags.
func diffed(ctx context.Context, hone honecli.Hone, rate string, flags ...string) (d diff.Diff, err error) {
	a, err := profiled(ctx, hone, "2000")
	if err != nil {
		return d, err
	}
	b, err := profiled(ctx, hone, rate, flags...)
	if err != nil {
		return d, err
	}
	_, err = hone.Ask(ctx, &d, nil, "profile diff", a, b)
	return d, err
}

// profiled loads the service at a rate and returns the run's name.
func profiled(ctx context.Context, hone honecli.Hone, rate string, args ...string) (string, error) {
	id, err := hone.Measure(ctx, "./subjects/halved",
		[]string{"-d", "1s", "-R", rate, "--profile-time", "10s", "--set", "profile.rate=250"}, args)
	if err != nil {
		return "", fmt.Errorf("at %s/s %s: %w", rate, strings.Join(args, " "), err)
	}
	return id, nil
}
