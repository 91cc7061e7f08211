package main

import (
	"cmp"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/gobench"
	"github.com/gohone/hone/internal/report"
)

func (a *app) benchCompareCommand() *cobra.Command {
	var r gobench.CompareRequest
	var gates []string
	var json bool
	cmd := &cobra.Command{
		Use:   "compare OLD NEW [MORE...]",
		Short: "Compare files of benchmark results, as benchstat does, and exit 1 on a regression",
		Long: `compare reads files with the output of go test -bench, or of hone bench, and compares each
with the first: medians, intervals and p-values are those of benchstat. LABEL=FILE names
a column.

If the files were measured one after the other, changes of the machine are part of the
difference. hone bench --vs measures both sides in turn.

Exit codes: 1 if a benchmark got significantly worse by more than --delta; with --gate only
the gates count, and 8 says that one is undecided.`,
		Example: `  hone bench compare old.txt new.txt
  hone bench compare base=old.txt pr=new.txt --delta 0.05`,
		RunE: func(_ *cobra.Command, args []string) error {
			r.Paths = args
			var err error
			if r.Gates, err = benchGates(gates); err != nil {
				return err
			}
			return a.benchCompare(r, json)
		},
	}
	fl := cmd.Flags()
	fl.Float64Var(&r.Alpha, "alpha", compare.DefaultAlpha, "level of each test; 1-alpha is the confidence of the intervals")
	fractionVar(fl, &r.Delta, "delta", compare.DefaultDelta, "a change for the worse is a regression from here on")
	fl.StringArrayVar(&gates, "gate", nil, "limit for every benchmark: 'time<+2%', 'allocs<=0' (repeatable)")
	fl.BoolVar(&json, "json", false, "print JSON with a schema version")
	return cmd
}

func (a *app) benchCompare(r gobench.CompareRequest, json bool) error {
	t, err := gobench.Compare(a.ctx, r)
	if err != nil {
		return err
	}
	for _, w := range t.Warnings {
		if _, err := a.stderr.Write([]byte("hone: " + w + "\n")); err != nil {
			return err
		}
	}
	err = a.print(json, t, func(w io.Writer) error { return report.BenchFiles(w, t) })
	return cmp.Or(err, filesVerdict(t, len(r.Gates) > 0))
}

// filesVerdict is the exit code: with gates only they count.
func filesVerdict(t *gobench.Tables, gated bool) error {
	if !gated {
		if n := t.Worse(); n > 0 {
			return fail.New(fail.Regression, "%d results got worse", n).WithHint("hone bench --vs REF measures both sides in turn")
		}
		return nil
	}
	n := t.GateCount()
	switch {
	case n[compare.Failed] > 0:
		return fail.New(fail.Regression, "%d gates failed", n[compare.Failed])
	case n[compare.Open] > 0 || len(n) == 0:
		return fail.New(fail.Undecided, "%d gates are undecided, %d passed", n[compare.Open], n[compare.Passed]).
			WithHint("take more results of each, or measure both sides in turn: hone bench --vs REF")
	}
	return nil
}
