package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/once"
)

// OnceComparison writes a comparison of executions.
func OnceComparison(w io.Writer, o *once.Comparison, runs []once.Record) error {
	b := &strings.Builder{}
	c, labels := AsComparison(o), onceLabels(runs)
	if !hasVerdict(c) {
		fmt.Fprintln(b, noVerdict(c, brief))
	}
	for i, r := range runs {
		fmt.Fprintf(b, "%s: %s%s\n", letter(i), r.Label, onceSource(r))
	}
	if len(runs) > 0 {
		fmt.Fprintln(b, onceUnder(o, runs[0]))
	}
	if hasVerdict(c) {
		for _, contest := range c.Contests {
			fmt.Fprintln(b, contestSentence(contest))
		}
		fmt.Fprintln(b, Stopped(c))
		gates(b, c)
		for _, line := range advice(c) {
			fmt.Fprintln(b, line)
		}
		fmt.Fprintln(b, onceComparisonCheck(runs))
	}
	onceNotes(b, runs)
	onceWhy(b, o)
	tables(b, c, labels)
	onceSides(b, runs)
	next(b, c, labels)
	_, err := io.WriteString(w, b.String())
	return err
}

// onceUnder says what all variants had in common.
func onceUnder(o *once.Comparison, r once.Record) string {
	text := "under: no load; one execution of each in turn, to the end, "
	if len(r.Args) > 0 {
		text += "all with " + strings.Join(r.Args, " ") + ", "
	}
	return text + fmt.Sprintf("on %s, in %s", plural(r.Environment.CPUs, "CPU"), r.Dir)
}

func onceComparisonCheck(runs []once.Record) string {
	worst := once.Record{}
	for _, r := range runs {
		if r.Environment.StealShare >= worst.Environment.StealShare {
			worst = r
		}
	}
	return onceCheckWord(runs) + "every execution ended with exit code 0" + onceSteal(worst)
}

// onceSides are the facts of each variant, one line each.
func onceSides(b *strings.Builder, runs []once.Record) {
	for i, r := range runs {
		if r.Facts != nil {
			fmt.Fprintf(b, "%s: %s  (%s)\n", letter(i), factsLine(*r.Facts), plural(r.Facts.Executions, "execution"))
		}
		if p := r.Profiled; p != nil && p.Passes > 0 {
			fmt.Fprintf(b, "%s: the CPU profile saw %.0f %% of the CPU time of one more execution\n", letter(i), 100*p.CPUShare)
		}
	}
}

// AsComparison is a comparison of executions in the form of one under load: what is said
// of verdicts, gates, looks and budgets is the same.
func AsComparison(o *once.Comparison) *lab.ComparisonRecord {
	c := &lab.ComparisonRecord{
		ID: o.ID, Status: o.Status, Reason: o.Reason, Started: o.Started, Elapsed: o.Elapsed, Runs: o.Runs, Seed: o.Seed,
		Budget: o.Budget, Blocks: o.Blocks, BlockTime: o.BlockTime, Looks: o.Looks, Word: o.Word, Gates: o.Gates,
		Stopped: map[string]string{
			compare.StoppedDecided: compare.StoppedDecided, compare.StoppedGates: compare.StoppedGates, compare.StoppedBudget: compare.StoppedBudget,
		}[o.Stopped],
	}
	for _, contest := range o.Contests {
		c.Contests = append(c.Contests, lab.Contest{
			A: contest.A, B: contest.B, Word: contest.Word, Verdicts: contest.Verdicts, Why: contest.Why, Changes: contest.Changes,
		})
	}
	return c
}

// onceLabels are the runs as far as lists of variants need them.
func onceLabels(runs []once.Record) []lab.Record {
	var all []lab.Record
	for _, r := range runs {
		all = append(all, lab.Record{ID: r.ID, Label: r.Label, Profiles: r.Profiles})
	}
	return all
}
