// Package robust makes hone fail on purpose, again and again, and counts what hone does wrong: killed at random
// moments, with a damaged ledger, with mutated input, against hostile servers, and with programs whose processes hide.
//
//	go run . robust -for 8h
//	go run . robust -kinds fuzz -for 1h -n fuzz=1000000
//	go run . robust -kinds crash -repeat 17    # the 17th trial again, printed and not kept
//
// Every trial is one line in a file of results: the number of a trial is its seed, and the next trial of a kind has the
// next number. A moment of a kill is drawn anew on each repetition as far as the machine's own speed goes. Inputs that
// fail a fuzz target are moved to ../bin/robust-crashers: copy them to the target's testdata/fuzz together with the
// fix.
//
// What it does not show: other machines and other days; a machine that loses power. 0 failures do not prove that there
// are none: the upper end of the interval says how many there may be.
package robust

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// Case is the benchmark.
var Case = bed.Case{Name: "robust",
	Shows: "what hone does wrong when killed, damaged, fuzzed, or loading hostile servers",
	Takes: "an hour; goes on where it was", Run: run}

type config struct {
	*bed.Bed
	kinds       []*kind
	want        map[string]int // trials of each kind, all sessions together
	fuzzSlice   time.Duration
	fuzzWorkers int
	repeat      int // -1: nothing to repeat
	list        bool
}

func parse(b *bed.Bed) (c config) {
	var err error
	c.Bed = b
	b.Keeps("../bin/robust.jsonl")
	bed.Choice(b.Flags, &c.kinds, "kinds", "", "kind", kinds, func(k *kind) string { return k.Name }, "kinds")
	want := b.String("n", "",
		"trials of each kind in the end, with those of earlier sessions: 500, or crash=300,pages=1000 (default: "+
			defaults()+")")
	b.DurationVar(&c.fuzzSlice, "fuzz-slice", 15*time.Second, "how long a fuzz target runs in one trial")
	b.IntVar(&c.fuzzWorkers, "fuzz-workers", 1, "processes that execute a fuzz target at once")
	b.IntVar(&c.repeat, "repeat", -1,
		"carry out the trial with this `number` of the one kind in -kinds again, and keep nothing")
	b.BoolVar(&c.list, "list-fuzz", false, "print the fuzz targets: directory of the module, package, name")
	b.Read()
	if b.For == 0 {
		b.For = time.Hour
	}
	b.Want(b.For > 0 && c.fuzzSlice >= time.Second && c.fuzzWorkers > 0,
		"want -for above 0, -fuzz-slice of 1s or more, -fuzz-workers of 1 or more")
	b.Want(c.repeat < 0 || len(c.kinds) == 1, "-repeat wants one kind in -kinds")
	c.want, err = parseWanted(*want)
	b.Want(err == nil, "%w", err)
	return c
}

// defaults is the default of -n in its own words.
func defaults() string {
	text := ""
	for _, k := range kinds {
		text += fmt.Sprintf(",%s=%d", k.Name, k.Default)
	}
	return text[1:]
}

// parseWanted reads -n: one number for every kind, or NAME=NUMBER of some.
func parseWanted(text string) (map[string]int, error) {
	want := map[string]int{}
	for _, k := range kinds {
		want[k.Name] = k.Default
	}
	if text == "" {
		return want, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, number, named := strings.Cut(part, "=")
		if !named {
			name, number = "", part
		}
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("-n %q: %q is not a number from 0", text, number)
		}
		if _, known := want[name]; named && !known {
			return nil, fmt.Errorf("-n %q: unknown kind %q (known: %s)", text, name,
				strings.Join(slices.Sorted(maps.Keys(want)), ", "))
		}
		for k := range want {
			if !named || k == name {
				want[k] = n
			}
		}
	}
	return want, nil
}

func run(ctx context.Context, b *bed.Bed) error {
	c := parse(b)
	if c.list && b.Faults() == nil {
		return printTargets(os.Stdout, "..")
	}
	if err := b.Start(ctx); err != nil {
		return err
	}
	switch {
	case c.repeat >= 0:
		return repeat(ctx, c)
	case !b.Report:
		if err := measure(ctx, c); err != nil {
			return err
		}
	}
	return bed.Publish(b, resultsSchema, func(r *bed.Result, all []record) { document(r, all, explained) })
}
