package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/results"
	"github.com/gohone/hone/internal/units"
)

// document writes the document that the results make; nothing else goes into it.
func document(w io.Writer, records []record, known []explanation) {
	fmt.Fprint(w, intro)
	results.Origin(w, records)
	fmt.Fprint(w, "\n## All kinds\n\n")
	summary(w, records)
	for _, k := range kinds {
		section(w, k, of(records, k), known)
	}
	fmt.Fprint(w, limits)
}

const intro = `# Robustness

What hone does wrong when it is killed, when its ledger is damaged, when its input is mutated, when the server that it loads
is hostile, and when the programs that it starts hide. Made by ` + "`make robust`" + ` (bench/robust) from a file with a line for
each trial; do not edit. The number of a trial is its seed: ` + "`go run ./robust -kinds KIND -repeat NUMBER`" + ` in bench
makes the same random choices again.

- A failure is what hone did wrong, never a trial that could not be carried out: those are left out and taken again.
- In brackets: the 95 % interval of the share of trials that fail, Wilson's; after no failure in n trials its upper end is
  some 3.8 / n.

`

const limits = `
## What this does not show

- One machine, and the days above. A machine that loses power is another matter: SIGKILL leaves the operating system's
  caches alone.
- A moment of a kill is drawn anew on each repetition as far as the machine's own speed goes: the same seed kills after the
  same time, not at the same instruction.
- A count of 0 failures does not prove that there are none: the interval has the upper limit.
`

// summary is a row for each kind.
func summary(w io.Writer, records []record) {
	results.TableHead(w, "kind", "trials", "hit", "failed", "time")
	for _, k := range kinds {
		row(w, k.Name, of(records, k))
	}
}

func row(w io.Writer, name string, own []record) {
	t := tallyOf(own)
	results.TableRow(w, name, fmt.Sprint(t.trials), t.hits(), t.share(), t.time())
}

// section is what one kind did, what counts, its trials by what they were, and each failure.
func section(w io.Writer, k *kind, own []record, known []explanation) {
	fmt.Fprintf(w, "\n## %s\n\n%s\n\nCounted as a failure: %s\n", k.Name, k.Does, k.Fails)
	if len(own) == 0 {
		fmt.Fprint(w, "\nNot tried yet.\n")
		return
	}
	fmt.Fprintln(w)
	if k == fuzzing {
		fuzzTable(w, own)
	} else {
		table(w, own)
	}
	failures(w, k, own, known)
}

func table(w io.Writer, own []record) {
	results.TableHead(w, "what", "trials", "hit", "failed", "time")
	groups := byWhat(own)
	for _, what := range slices.Sorted(maps.Keys(groups)) {
		row(w, what, groups[what])
	}
}

func fuzzTable(w io.Writer, own []record) {
	groups := byWhat(own)
	fmt.Fprintf(w, "%s executions of %d targets in all.\n\n", units.Count(tallyOf(own).executions), len(groups))
	results.TableHead(w, "package and target", "executions", "time", "executions/s", "failing inputs")
	for _, what := range slices.Sorted(maps.Keys(groups)) {
		t := tallyOf(groups[what])
		results.TableRow(w, what, units.Count(t.executions), t.time(), units.Count(uint64(float64(t.executions)/max(t.seconds, 1))), fmt.Sprint(t.failed))
	}
}

// failures lists each failure, and what is known about it.
func failures(w io.Writer, k *kind, own []record, known []explanation) {
	head := false
	for _, r := range own {
		for _, f := range r.Outcome.Failures {
			if !head {
				fmt.Fprint(w, "\nFailures:\n\n")
				head = true
			}
			why := "**not explained**"
			if e := explanationOf(known, k.Name, *r.Outcome, f); e != nil {
				why = e.Why
			}
			fmt.Fprintf(w, "- %d (%s): %s. %s\n", r.Number, strings.TrimSuffix(r.Outcome.What+", "+r.Outcome.Point, ", "), f, why)
		}
	}
	if !head {
		fmt.Fprint(w, "\nNo failures.\n")
	}
}
