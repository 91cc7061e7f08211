package main

import (
	"fmt"
	"io"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/results"
)

const intro = `# Public commits that claim to be faster, and commits that change nothing

Each commit against its parent: by hone bench, for benchstat in the same time, and by a long run, which
is taken for the truth. A commit with +1 adds a function that is never called: what moves is where functions lie. Made by bench/commits from bench/commits/results.jsonl, a line for each commit; do not edit.

- All figures are the change of the time per operation, in %. The claim is what the commit's message says.
- truth: in each round both sides are linked in a random order of their functions, and run a second each in fresh processes, in turns
  drawn at random; in brackets the 95 % interval over the rounds (Hodges and Lehmann).
- hone: ` + "`hone bench --vs HEAD^ --bench NAME --budget TIME`" + ` in the commit's tree; in brackets its 95 % interval.
- benchstat: in the same time ten samples of a process of the parent, then ten of one of the commit
  (` + "`-test.count=10`" + `), judged by the test of benchstat; it gives no interval of the change.

`

const limits = `
## What this does not show

- One machine. benchstat has one order of functions for each side, as people have who use it.
- A commit is measured on the benchmark that its parent has, too, which may not be the one that its author had in mind.
`

// document writes the document that the results make; nothing else goes into it.
func document(w io.Writer, records []record) {
	fmt.Fprint(w, intro)
	results.Origin(w, records)
	fmt.Fprintln(w)
	results.TableHead(w, "commit", "benchmark", "claim", "truth (rounds)", "hone", "seconds", "benchstat")
	with, verdicts, classic, n := 0, 0, 0, 0
	for _, c := range commits {
		for _, r := range records {
			if !r.of(c) {
				continue
			}
			results.TableRow(w, fmt.Sprintf("%s %s", c.Repo, c.name()), c.Benchmark, c.Claim, fmt.Sprintf("%s (%d)", change(r.Truth), r.Rounds),
				fmt.Sprintf("%s, %s", r.Verdict, change(r.ByHone)), fmt.Sprintf("%.0f", r.Seconds), benchstat(r))
			n++
			if r.overlaps() {
				with++
			}
			if r.right(r.verdictSign()) {
				verdicts++
			}
			if r.right(r.classicSign()) {
				classic++
			}
		}
	}
	fmt.Fprintf(w, "\nOf %d commits: hone's interval and that of the truth overlap for %d. Where the truth's interval leaves no change out, "+
		"no difference is right; else the sign of the truth is: hone was right %d times, benchstat %d times.\n", n, with, verdicts, classic)
	fmt.Fprint(w, limits)
}

// change prints a ratio as a change in per cent.
func change(r figures.Ratio) string {
	if !r.Bounded() {
		return percent(r.Value)
	}
	return fmt.Sprintf("%s (%s ... %s)", percent(r.Value), percent(r.Low), percent(r.High))
}

func percent(ratio float64) string { return fmt.Sprintf("%+.2f", 100*(ratio-1)) }

func benchstat(r record) string {
	if r.classicSign() == 0 {
		return fmt.Sprintf("~ (%s, p=%.3f)", percent(r.Classic.Ratio), r.Classic.P)
	}
	return fmt.Sprintf("%s (p=%.3f)", percent(r.Classic.Ratio), r.Classic.P)
}
