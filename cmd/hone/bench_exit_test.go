package main

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

// A benchmark that skips itself on one side was not compared: that is not a pass, with gates or without.
func TestABenchmarkThatSkipsItselfOnOneSideIsNoPass(t *testing.T) {
	passed := benchmarks.Benchmark{Name: "Other", Verdicts: []judge.Verdict{{Word: judge.Same}},
		Gates: []gate.Result{{Outcome: gate.Passed}}}
	same, slower := passed, passed
	same.Gates, slower.Gates = nil, nil
	slower.Verdicts = []judge.Verdict{{Word: judge.Slower}}
	for _, c := range []struct {
		name, side string
		bench      benchmarks.Benchmark
		want       int
	}{
		{"gate, skipped on B", "B", passed, int(fail.Undecided)},
		{"gate, skipped on A", "A", passed, int(fail.Undecided)},
		{"no gate, skipped on B", "B", same, int(fail.Undecided)},
		{"slower beside it", "B", slower, int(fail.Undecided)},
		{"slower", "A and B", slower, 0},
		{"skipped on both", "A and B", passed, 0},
	} {
		r := &benchmarks.Result{Benchmarks: []benchmarks.Benchmark{c.bench},
			Skipped: []benchmarks.Skipped{{Name: "Join", Side: c.side}}}
		if got := fail.ExitCode(benchVerdict(r)); got != c.want {
			t.Errorf("%s: exit code %d, want %d", c.name, got, c.want)
		}
	}
}

// A benchmark that is gone on B was not compared, so it does not pass, with gates or without. A benchmark that is new
// on B passes.
func TestABenchmarkThatIsGoneIsNoPass(t *testing.T) {
	passed := benchmarks.Benchmark{Name: "Other", Verdicts: []judge.Verdict{{Word: judge.Same}},
		Gates: []gate.Result{{Outcome: gate.Passed}}}
	same := passed
	same.Gates = nil
	for _, c := range []struct {
		name, side string
		bench      benchmarks.Benchmark
		want       int
	}{
		{"gate, gone on B", "A", passed, int(fail.Undecided)},
		{"no gate, gone on B", "A", same, int(fail.Undecided)},
		{"gate, new on B", "B", passed, 0},
		{"no gate, new on B", "B", same, 0},
	} {
		r := &benchmarks.Result{Benchmarks: []benchmarks.Benchmark{c.bench},
			OneSided: []benchmarks.OneSided{{Name: "Join/words=5-2", Side: c.side,
				Pattern: "^BenchmarkJoin$/^words=5$"}}}
		err := benchVerdict(r)
		if got := fail.ExitCode(err); got != c.want {
			t.Errorf("%s: exit code %d, want %d", c.name, got, c.want)
		}
		if want := "--skip '^BenchmarkJoin$/^words=5$'"; err != nil && !strings.Contains(fail.HintOf(err), want) {
			t.Errorf("%s: the hint %q lacks %q", c.name, fail.HintOf(err), want)
		}
	}
}

// A benchmark that is faster in time only is undecided, and the sentence says why; one that lacks rounds is named as
// ever.
func TestABenchmarkThatIsFasterInTimeOnlyIsNoPass(t *testing.T) {
	only := benchmarks.Benchmark{Name: "Join", Verdicts: []judge.Verdict{{Word: judge.Undecided}},
		Caveats: []record.Caveat{{Open: true, Text: "CPU time +90 %"}}}
	gated, few := only, benchmarks.Benchmark{Name: "Sum", Verdicts: []judge.Verdict{{Word: judge.Undecided}}}
	gated.Gates = []gate.Result{{Outcome: gate.Open}}
	for _, c := range []struct {
		name    string
		benches []benchmarks.Benchmark
		want    string
	}{
		{"alone", []benchmarks.Benchmark{only}, "CPU time +90 %"},
		{"beside one that lacks rounds", []benchmarks.Benchmark{only, few}, "2 of 2 benchmarks are undecided"},
		{"with a gate", []benchmarks.Benchmark{gated}, "the gate is undecided"},
	} {
		err := benchVerdict(&benchmarks.Result{Benchmarks: c.benches})
		if got := fail.ExitCode(err); got != int(fail.Undecided) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: exit code %d, %v, want %q", c.name, got, err, c.want)
		}
		if more := strings.Contains(fail.HintOf(err), "--budget"); more != (len(c.benches) == 2) {
			t.Errorf("%s: the hint %q", c.name, fail.HintOf(err))
		}
	}
}
