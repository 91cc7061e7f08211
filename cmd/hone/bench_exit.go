package main

import (
	"fmt"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// benchVerdict is the exit code: failures count first, for what failed might be slower; with
// gates only they count. Without gates, as in a comparison of services, faster, slower, the same and no change over a bound are results.
func benchVerdict(r *benchmarks.Result) error {
	if len(r.Failures) > 0 {
		packages, benchmarks := r.FailureCount()
		return fail.New(fail.Subject, "packages that do not build or run: %d; benchmarks that failed: %d; measured: %d",
			packages, benchmarks, len(r.Benchmarks)).WithHint("%s", r.Failures[0].Hint)
	}
	if n := r.GateCount(); len(n) > 0 {
		total := n[gate.Passed] + n[gate.Failed] + n[gate.Open]
		if r.Planted != nil {
			return app.ExitOfProof(*r.Planted, n[gate.Failed] > 0)
		}
		switch {
		case n[gate.Failed] > 0:
			return fail.New(fail.Regression, "%s failed", ofAll(n[gate.Failed], total, "gate"))
		case n[gate.Open] > len(r.OpenGates):
			return fail.New(fail.Undecided, "%s undecided", are(n[gate.Open], total, "gate")).WithHint("%s",
				gatesHint(r))
		case len(r.Untimed) > 0:
			return untimed(r)
		}
		return oneSide(r)
	}
	n, total := r.Count(), len(r.Benchmarks)
	unproven := timeOnly(r, n[judge.Undecided])
	switch {
	case unproven != nil:
		return unproven
	case n[judge.Undecided] > 0:
		return fail.New(fail.Undecided, "%s undecided", are(n[judge.Undecided], total, "benchmark")).
			WithHint("give it more time with --budget, or name the limits that matter with --gate")
	case len(r.Untimed) > 0:
		return untimed(r)
	case oneSide(r) != nil:
		return oneSide(r)
	case n[benchmarks.ItselfChanged] > 0:
		return fail.New(fail.Undecided, "%s without a verdict: %s",
			are(n[benchmarks.ItselfChanged], total, "benchmark"), benchmarks.ItselfChanged).
			WithHint("%s", r.ChangedHint())
	}
	return nil
}

// ofAll is "1 of 3 gates", or "the gate" where there is only one.
func ofAll(n, total int, noun string) string {
	if total == 1 {
		return "the " + noun
	}
	return fmt.Sprintf("%d of %s", n, units.Plural(total, noun))
}

// are is ofAll with its verb.
func are(n, total int, noun string) string {
	if n == 1 {
		return ofAll(n, total, noun) + " is"
	}
	return ofAll(n, total, noun) + " are"
}

// caveatHint is the next step where a caveat took the verdict of a faster benchmark.
const caveatHint = "hone compare measures a whole program, with all that it does"

// timeOnly names the caveat of a faster benchmark if caveats are the reason of all undecided ones; else it is nil.
func timeOnly(r *benchmarks.Result, undecided int) error {
	var first *record.Caveat
	for _, b := range r.Benchmarks {
		if open := b.OpenCaveat(); open != nil {
			if undecided--; first == nil {
				first = open
			}
		}
	}
	if first == nil || undecided > 0 {
		return nil
	}
	what := "faster in time only"
	if r.Instructions != nil {
		what = "fewer instructions, and no verdict on them"
	}
	return fail.New(fail.Undecided, "%s: %s", what, first.Text).
		WithHint("%s", caveatHint)
}

// gatesHint is the next step where gates are undecided.
func gatesHint(r *benchmarks.Result) string {
	hint := "give it more time with --budget"
	for _, b := range r.Benchmarks {
		if open := b.OpenCaveat(); open != nil {
			hint = "more time changes nothing where a doubt takes the verdict from B: " + caveatHint
		}
	}
	if r.Count()[benchmarks.ItselfChanged] > 0 {
		hint += "; where the benchmark itself changed, " + r.ChangedHint()
	}
	return hint
}

// oneSide is the error of a benchmark that is gone on B, or that skips itself on one side: it was not compared, so it
// does not pass. nil if there is none.
func oneSide(r *benchmarks.Result) error {
	for _, s := range r.SkippedOnOne() {
		return fail.New(fail.Undecided, "not compared: %s skips itself on side %s only", s.Name, s.Side).
			WithHint("see why it skips itself there, or leave it out with --skip '^Benchmark%s$'", s.Name)
	}
	for _, o := range r.Gone() {
		return fail.New(fail.Undecided, "not compared: %s is gone on side B", o.Name).
			WithHint("if it was removed on purpose, leave it out with --skip '%s'", o.Pattern)
	}
	return nil
}

// untimed says that benchmarks were not compared: that is not a pass.
func untimed(r *benchmarks.Result) error {
	return fail.New(fail.Undecided, "not compared, since the time does not grow with the number of operations: %s",
		units.Plural(len(r.Untimed), "benchmark")).WithHint("%s; or leave it out with --skip", r.Untimed[0].Hint)
}
