package main

import (
	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/gobench"
)

// benchVerdict is the exit code: failures count first, for what failed might be slower; with
// gates only they count.
func benchVerdict(r *gobench.Result) error {
	if len(r.Failures) > 0 {
		packages, benchmarks := r.FailureCount()
		return fail.New(fail.Subject, "packages that do not build or run: %d; benchmarks that failed: %d; measured: %d",
			packages, benchmarks, len(r.Benchmarks)).WithHint("%s", r.Failures[0].Hint)
	}
	slower, undecided := r.Count()[compare.Slower], r.Count()[compare.Undecided]
	what := "%d of %d benchmarks are %s"
	total := len(r.Benchmarks)
	if n := r.GateCount(); len(n) > 0 {
		what = "%d of %d gates %s"
		slower, undecided, total = n[compare.Failed], n[compare.Open], n[compare.Passed]+n[compare.Failed]+n[compare.Open]
		if slower > 0 {
			return fail.New(fail.Regression, what, slower, total, "failed")
		}
		if undecided > 0 {
			return fail.New(fail.Undecided, what, undecided, total, "are undecided").WithHint("give it more time with --budget")
		}
		return nil
	}
	switch {
	case slower > 0:
		return fail.New(fail.Regression, what, slower, total, "slower")
	case undecided > 0:
		return fail.New(fail.Undecided, what, undecided, total, "undecided").
			WithHint("give it more time with --budget, or name the limits that matter with --gate")
	}
	return nil
}
