package main

import (
	"cmp"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/gobench/resultfiles"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/read"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/report"
)

func (a *commands) benchCompareCommand() *cobra.Command {
	f := &spec.Spec{}
	cmd := &cobra.Command{
		Use:   "compare OLD NEW [MORE...]",
		Short: "Compare files of benchmark results, as benchstat does",
		Long: `compare reads files with the output of go test -bench, or of hone bench, and compares each
with the first: medians, intervals and p-values are those of benchstat. LABEL=FILE names
a column.

If the files were measured one after the other, changes of the machine are part of the
difference. hone bench --vs measures both sides in turn.

The files may be of go test -json, too. Results that differ in the machine or another key of
the files are not compared, unless --ignore names the key.

Exit codes: 1 only if a gate (--gate) failed. 8 says that a gate is undecided, also because a file lacks the benchmark or the
measure, or that nothing was compared; 3 that a benchmark or a package failed in a file.`,
		Example: `  hone bench compare old.txt new.txt
  hone bench compare laptop.txt server.txt --ignore cpu
  hone bench compare base=old.txt pr=new.txt --delta 0.05`,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := read.Gates(&f.Test, benchMeasures()); err != nil {
				return err
			}
			return a.benchCompare(resultfiles.Task{Test: f.Test, Bench: f.Bench, Paths: args}, f.JSON)
		},
	}
	app.AddOptions(cmd, spec.ForBenchFiles, f)
	return cmd
}

func (a *commands) benchCompare(r resultfiles.Task, json bool) error {
	t, err := resultfiles.Compare(a.Ctx, r)
	if err != nil {
		return err
	}
	for _, w := range t.Warnings {
		if _, err := a.Stderr.Write([]byte("hone: " + printable.Indented(w) + "\n")); err != nil {
			return err
		}
	}
	err = a.Print(json, t, func(w io.Writer) error { return report.BenchFiles(w, t) })
	return cmp.Or(err, filesVerdict(t, len(r.Gates) > 0))
}

// filesVerdict is the exit code: failures count first, for what failed might be slower; with gates
// only they count.
func filesVerdict(t *benchmarks.Tables, gated bool) error {
	if i := slices.IndexFunc(t.Failures, benchmarks.FileFailure.Failed); i >= 0 {
		return fail.New(fail.Subject, "%s: what failed was not compared", t.Failures[i]).
			WithHint("repair it, and measure again")
	}
	if !gated {
		return comparedNothing(t)
	}
	n := t.GateCount()
	total := n[gate.Passed] + n[gate.Failed] + n[gate.Open]
	switch {
	case n[gate.Failed] > 0:
		return fail.New(fail.Regression, "%s failed", ofAll(n[gate.Failed], total, "gate"))
	case total == 0:
		return comparedNothing(t)
	case n[gate.Open] > 0:
		return fail.New(fail.Undecided, "%s undecided", are(n[gate.Open], total, "gate")).
			WithHint("take more results of each, or measure both sides in turn: hone bench --vs REF")
	}
	return nil
}

// comparedNothing is an error where the files have nothing in common: that is not a pass.
func comparedNothing(t *benchmarks.Tables) error {
	for range t.Changes {
		return nil
	}
	err := fail.New(fail.Undecided, "nothing was compared")
	if len(t.Apart) > 0 {
		return err.WithHint("--ignore %s compares them", t.Apart[0].Key)
	}
	return err.WithHint("name files with results of the same benchmarks")
}

func (a *commands) benchJoinCommand() *cobra.Command {
	f := &spec.Spec{}
	cmd := &cobra.Command{
		Use:   "join FILES",
		Short: "Make one result of the parts that several jobs have measured",
		Long: `join reads what hone bench --shard K/N --json has printed in each of N jobs, and prints the whole comparison. The
exit code is that of one comparison of all benchmarks: the parts share one level already.

A part that is missing, or that is of another commit, toolchain or choice of benchmarks, is an error.`,
		Example: `  hone bench ./... --vs main --gate 'time<+5%' --shard 2/8 --json > part-2.json   # in job 2 of 8
  hone bench join part-*.json --markdown`,
		RunE: func(_ *cobra.Command, args []string) error {
			var parts []*benchmarks.Result
			for _, path := range args {
				part, err := benchmarks.ReadFile(path)
				if err != nil {
					return err
				}
				parts = append(parts, part)
			}
			all, err := benchmarks.Join(parts, args)
			if err != nil {
				return err
			}
			return cmp.Or(a.printBench(f, all), benchVerdict(all))
		},
	}
	app.AddOptions(cmd, spec.ForBenchJoin, f)
	return cmd
}
