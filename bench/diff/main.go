// Command diff checks what hone profile diff colours on a real service: one function's work
// is halved and the load doubled, and that function alone is to be coloured; then the
// service is held against itself, and hardly anything is to be.
package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/prof"
)

func main() { side.MainWithHone("diff", 10, "pairs of measurements of each kind", check) }

// changed is the function that is halved.
const changed = "main.compare"

// check prints a line for each round, and what was coloured in all.
func check(ctx context.Context, hone honecli.Hone, rounds int) error {
	alone, found, strangers, functions := 0, 0, 0, 0
	for i := range rounds {
		d, err := compare(ctx, hone, "4000", "-half")
		if err != nil {
			return err
		}
		hit := slices.Contains(coloured(d), changed)
		others := slices.DeleteFunc(coloured(d), func(name string) bool { return name == changed })
		if hit {
			found++
		}
		if hit && len(others) == 0 {
			alone++
		}
		equal, err := compare(ctx, hone, "2000")
		if err != nil {
			return err
		}
		strange := coloured(equal)
		strangers, functions = strangers+len(strange), functions+len(equal.Rows)
		fmt.Printf("round %d: halved and doubled: found %t, also coloured %d of %d %q; against itself: %d of %d %q\n",
			i+1, hit, len(others), len(d.Rows), others, len(strange), len(equal.Rows), strange)
	}
	fmt.Printf("\n%s was coloured in %d of %d, alone in %d; against itself %d of %d functions (%.2g %%; wanted: at most 5 %%)\n",
		changed, found, rounds, alone, strangers, functions, 100*float64(strangers)/float64(functions))
	return nil
}

// coloured are the functions that are not called the same.
func coloured(d prof.Diff) (names []string) {
	for _, r := range d.Rows {
		if r.Word != prof.Same {
			names = append(names, r.Function)
		}
	}
	return names
}

// compare profiles the service at 2,000 requests/s, and again at another rate and with
// other flags.
func compare(ctx context.Context, hone honecli.Hone, rate string, flags ...string) (d prof.Diff, err error) {
	a, err := measure(ctx, hone, "2000")
	if err != nil {
		return d, err
	}
	b, err := measure(ctx, hone, rate, flags...)
	if err != nil {
		return d, err
	}
	_, err = hone.Ask(ctx, &d, nil, "profile diff", a, b)
	return d, err
}

// measure loads the service at a rate and returns the run's name.
func measure(ctx context.Context, hone honecli.Hone, rate string, args ...string) (string, error) {
	id, err := hone.Measure(ctx, "./diff/subject", []string{"-d", "1s", "-q", rate, "--profile-time", "10s", "--profile-rate", "250"}, args)
	if err != nil {
		return "", fmt.Errorf("at %s/s %s: %w", rate, strings.Join(args, " "), err)
	}
	return id, nil
}
