package report

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/gobench/resultfiles"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/view/model/bench"
	"github.com/gohone/hone/judge"
)

func benchVerdict(m judge.Measure, word judge.Word, a, b, low, high float64) judge.Verdict {
	return judge.Verdict{Measure: m, Word: word, A: a, B: b, Ratio: math.Sqrt(low * high), Low: low, High: high, Starts: 9}
}

// benchResult is a measurement with one benchmark of each word.
func benchResult() *benchmarks.Result {
	open := benchVerdict(measure.OperationTime, judge.Undecided, 10, 10, 0, math.Inf(1))
	open.Ratio = 1.02
	open.Need = &judge.Need{Starts: 9, Factor: 2}
	return &benchmarks.Result{
		Sides: [2]benchmarks.Side{{Name: "A", Label: "main|`x`", Commit: "0123456789abcdef", GoVersion: "go1.26.8"}, {Name: "B", Label: "working tree", Dirty: true, GoVersion: "go1.26.8"}},
		Alpha: 0.05, Delta: 0.01, Rounds: 9, Stopped: compare.StoppedBudget, Files: [2]string{"a.txt", "b.txt"},
		Benchmarks: []benchmarks.Benchmark{
			{Package: "example.com/x", Name: "Slow-2", Verdicts: []judge.Verdict{
				benchVerdict(measure.OperationTime, judge.Slower, 1200, 2500, 2.05, 2.11),
				benchVerdict(measure.OperationAllocs, judge.Slower, 0, 3, 300, 300),
			}},
			{Package: "example.com/x", Name: "Fast-2", Verdicts: []judge.Verdict{benchVerdict(measure.OperationTime, judge.Faster, 100, 50, 0.49, 0.51)}},
			{Package: "example.com/y", Name: "Same-2", Verdicts: []judge.Verdict{
				benchVerdict(measure.OperationTime, judge.Same, 7, 7, 0.995, 1.004), benchVerdict(measure.OperationAllocs, judge.Same, 1, 1, 1, 1)}},
			{Package: "example.com/y", Name: "Open|<b>-2", Verdicts: []judge.Verdict{open}},
		},
		OneSided: []benchmarks.OneSided{{Package: "example.com/y", Name: "New-2", Side: "B", Text: "new on side B: nothing to compare with"}},
	}
}

func TestBenchSaysTheOutcomeFirst(t *testing.T) {
	var b strings.Builder
	if err := Bench(&b, benchResult()); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if !strings.HasPrefix(text, "B is slower than A in some benchmarks and faster in others: 1 of 4 benchmarks slower (Slow-2 +108 %), 1 faster (Fast-2 -50 %), 1 same within +-1 %, 1 undecided\n") {
		t.Errorf("the sentence is missing:\n%s", text)
	}
	for _, want := range []string{"Slow-2      1.20 -> 2.50 us  +108 %", "slower (n=9)", "no interval from so few rounds", "undecided (n=9)",
		"0 -> 3.00 allocs", "from none", "worse (n=9)", "no change in 1 benchmark", "not compared: example.com/y New-2",
		"undecided: 1 benchmark; it takes about 2.0 times the rounds", "hone bench compare a.txt b.txt", "main|`x`, commit 0123456789ab, go1.26.8"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	for _, c := range text {
		if c > 126 {
			t.Errorf("%q is not plain ASCII", c)
		}
	}
}

// One slower benchmark of several does not make all slower.
func TestALeadIsNotAboutAllBenchmarks(t *testing.T) {
	all := benchResult()
	for name, test := range map[string]struct {
		of   []int
		want string
	}{
		"one of two slower": {[]int{0, 2}, "B is slower than A in some benchmarks: 1 of 2 benchmarks slower "},
		"one of two faster": {[]int{1, 3}, "B is faster than A in some benchmarks: 1 of 2 benchmarks faster "},
		"the only one":      {[]int{0}, "B is slower than A: Slow-2 "},
	} {
		r := benchResult()
		r.Benchmarks = nil
		for _, i := range test.of {
			r.Benchmarks = append(r.Benchmarks, all.Benchmarks[i])
		}
		if got := bench.Sentence(r); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: got %s, want %s...", name, got, test.want)
		}
	}
}

func TestBenchWithoutDifferences(t *testing.T) {
	var b strings.Builder
	if err := Bench(&b, &benchmarks.Result{Unchanged: []benchmarks.Unchanged{{Package: "example.com/p", Name: "Join"}, {Package: "example.com/p", Name: "Split"}}}); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.String(), "nothing differs: 2 benchmarks are unchanged: same code\n") || strings.Contains(b.String(), "next:") {
		t.Errorf("unchanged:\n%s", b.String())
	}
	undecided := benchResult()
	undecided.Benchmarks = undecided.Benchmarks[3:]
	if got := bench.Sentence(undecided); !strings.HasPrefix(got, "no verdict yet: Open|<b>-2 is undecided") {
		t.Errorf("undecided: %s", got)
	}
}

// A benchmark that skips itself on one side, or is gone, was not compared: no sentence and no gate says that nothing
// differs.
func TestBenchSaysWhatWasNotCompared(t *testing.T) {
	unchanged := []benchmarks.Unchanged{{Package: "example.com/p", Name: "Join", Gates: []gate.Result{{Outcome: gate.Passed}}}}
	open := func(name, why string) []benchmarks.OpenGate {
		return []benchmarks.OpenGate{{Name: name, Result: gate.Result{Gate: gate.Gate{Text: "time<+5%"}, Outcome: gate.Open, Reason: why}}}
	}
	for _, c := range []struct {
		result *benchmarks.Result
		want   string
	}{
		{&benchmarks.Result{Skipped: []benchmarks.Skipped{{Name: "Split", Side: "B"}}, OpenGates: open("Split", "it skips itself on side B only")},
			"nothing was measured; 1 benchmark is unchanged: same code; Split skips itself on side B only"},
		{&benchmarks.Result{OneSided: []benchmarks.OneSided{{Name: "Split", Side: "A"}}, OpenGates: open("Split", "gone on side B")},
			"nothing was measured; 1 benchmark is unchanged: same code; 1 benchmark is gone on side B"},
	} {
		c.result.Unchanged = unchanged
		var text, markdown strings.Builder
		if err := errors.Join(Bench(&text, c.result), BenchMarkdown(&markdown, c.result)); err != nil {
			t.Fatal(err)
		}
		want := "gates: 1 passed, 0 failed, 1 undecided\n  undecided: Split time<+5%: " + c.result.OpenGates[0].Reason + "\n" + c.want + "\n"
		if !strings.HasPrefix(text.String(), want) {
			t.Errorf("%s, want %s", text.String(), want)
		}
		const gates = "**UNDECIDED, not passed: 1 of 2 gates**\n"
		if got := markdown.String(); !strings.HasPrefix(got, gates) || !strings.Contains(got, "\n**"+c.want+"**\n") ||
			!strings.Contains(got, "\n- undecided: <code>Split</code> <code>time&#60;+5%</code>: ") {
			t.Errorf("markdown:\n%s", got)
		}
		if got := bench.Word(c.result); got != string(judge.Undecided) {
			t.Errorf("the word is %s", got)
		}
	}
	changed := &benchmarks.Result{Benchmarks: []benchmarks.Benchmark{{Name: "X", Verdicts: []judge.Verdict{{Word: benchmarks.ItselfChanged}}}}}
	if got := bench.Sentence(changed); got != "no verdict: the benchmark itself changed" {
		t.Errorf("a benchmark that changed itself: %s", got)
	}
}

// What is beside a verdict is named in the first line, and what takes the verdict stands there.
func TestBenchSentenceWithCaveats(t *testing.T) {
	note := record.Caveat{Name: benchmarks.CaveatFirst, Text: "the first operation is not faster"}
	for want, on := range map[string][]int{
		"; but see the note on Fast-2: the first operation of a process gains nothing":        {1},
		"; but see the notes on 2 benchmarks: the first operation of a process gains nothing": {0, 1},
	} {
		r := benchResult()
		for _, i := range on {
			r.Benchmarks[i].Caveats = []record.Caveat{note}
		}
		if got := bench.Sentence(r); !strings.HasSuffix(got, want) {
			t.Errorf("%s; want %s", got, want)
		}
	}
	r := benchResult()
	r.Benchmarks[0].Caveats, r.Benchmarks[1].Caveats = []record.Caveat{note}, []record.Caveat{{Name: benchmarks.CaveatMoved, Open: true, Text: "B works elsewhere"}}
	if got := bench.Sentence(r); !strings.HasSuffix(got, "; Fast-2: B works elsewhere") {
		t.Errorf("%s", got)
	}
}

// Names come from other people's code: they are not markup and end no cell.
func TestBenchMarkdownKeepsItsTable(t *testing.T) {
	var b strings.Builder
	r := benchResult()
	r.Benchmarks[0].Gates = []gate.Result{{Gate: gate.Gate{Text: "time<+2%"}, Outcome: gate.Failed, Reason: "change +105.0 ... +111.0 %"}}
	if err := BenchMarkdown(&b, r); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		if n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); n != 6 {
			t.Errorf("%d bars in %q, want 6", n, line)
		}
	}
	for _, want := range []string{"**B is slower", "<code>example.com/y Open&#124;&#60;b&#62;-2</code>",
		"- failed: <code>Slow-2</code> <code>time&#60;+2%</code>", "| <code>time&#60;+2%</code> | 0 | 1 | 0 |  |",
		"<details><summary>1 benchmark the same", "- Not compared: <code>example.com/y New-2</code>",
		"<code>main&#124;&#96;x&#96;</code>"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

// Gates come first, as the exit code is theirs: in all, by gate with what those that passed exclude, and those that did
// not pass.
func TestGatesComeFirstInTheComment(t *testing.T) {
	time, allocs := measure.OperationTime, measure.OperationAllocs
	on := gate.Gate{Text: "time<+5%", Measure: time, Op: limit.Less, Limit: 0.05, Relative: true}
	of := func(name string, high float64, outcome gate.Outcome) benchmarks.Benchmark {
		v := judge.Verdict{Measure: time, Word: judge.NoChange, Excluded: 0.05, Ratio: 1, Low: 0.99, High: high}
		return benchmarks.Benchmark{Package: "p", Name: name, Verdicts: []judge.Verdict{v}, Gates: []gate.Result{
			{Gate: on, Outcome: outcome, Reason: "its interval"},
			{Gate: gate.Gate{Text: "allocs<=0", Measure: allocs, Op: limit.AtMost}, Outcome: gate.Passed}}}
	}
	r := &benchmarks.Result{Stopped: "gates settled", Rounds: 9, Benchmarks: []benchmarks.Benchmark{
		of("Parse", 1.031, gate.Passed), of("Join", 1.012, gate.Passed), of("Split", 1.09, gate.Open),
		of("Wide", 1.07, gate.Passed)}, // it passed at an earlier look
		Unchanged: []benchmarks.Unchanged{{Package: "p", Name: "Same", Gates: []gate.Result{{Gate: on,
			Outcome: gate.Passed, Reason: benchmarks.SameCode}}}}}
	const want = `**UNDECIDED, not passed: 1 of 9 gates**

| gate | passed | failed | undecided | excluded |
|---|---|---|---|---|
| <code>time&#60;+5%</code> | 4 | 0 | 1 | +5.0 % or more (Wide) |
| <code>allocs&#60;=0</code> | 4 | 0 | 0 |  |

- undecided: <code>Split</code> <code>time&#60;+5%</code>: its interval

**4 benchmarks: none changed by more than 5 %`
	var b strings.Builder
	if err := BenchMarkdown(&b, r); err != nil || !strings.HasPrefix(b.String(), want) {
		t.Errorf("%v, got\n%s\nwant\n%s", err, b.String(), want)
	}
	r.Benchmarks, r.Unchanged = r.Benchmarks[:2], nil
	b.Reset()
	if err := BenchMarkdown(&b, r); err != nil || !strings.HasPrefix(b.String(), "**passed 4 gates**\n") ||
		!strings.Contains(b.String(), "| 2 | 0 | 0 | +3.1 % or more (Parse) |\n") {
		t.Errorf("%v, got\n%s", err, b.String())
	}
}

// Nothing in a document of benchmarks is markup, whichever of its texts a stranger chose: names, units, reasons,
// output, words of verdicts.
func TestNothingInADocumentOfBenchmarksIsMarkup(t *testing.T) {
	for _, evil := range hostile {
		for _, r := range []*benchmarks.Result{benchResult(), countResult()} {
			one := &r.Benchmarks[0]
			one.Gates = []gate.Result{{Gate: gate.Gate{Text: "time<+2%"}, Outcome: gate.Failed, Reason: "slower"}}
			one.Caveats = []record.Caveat{{Name: benchmarks.CaveatFirst, Text: "the first operation is not faster"}}
			r.Failures = []benchmarks.Failure{{Name: "Fails", Side: "B", Text: "it failed", Output: "one\ntwo"}}
			r.Skipped = []benchmarks.Skipped{{Name: "Split", Side: "B", Reason: "no such file"}}
			for _, change := range []func(string) string{
				func(s string) string { return evil + s }, func(s string) string { return s + evil },
				func(string) string { return evil },
			} {
				var b strings.Builder
				forged := redact.Strings(*r, change)
				if err := BenchMarkdown(&b, &forged); err != nil {
					t.Fatal(err)
				}
				wellFormed(t, b.String())
			}
		}
	}
}

func TestBenchFiles(t *testing.T) {
	dir := "../../conduct/gobench/resultfiles/testdata/"
	tables, err := resultfiles.Compare(t.Context(), resultfiles.Task{Test: spec.Test{Delta: 0.01}, Paths: []string{"old=" + dir + "old.txt", "few=" + dir + "few.txt", "new=" + dir + "new.txt"}})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := BenchFiles(&b, tables); err != nil {
		t.Fatal(err)
	}
	for _, c := range b.String() {
		if c > 126 {
			t.Errorf("%q is not plain ASCII", c)
		}
	}
	for _, want := range []string{"indicative: files that were taken one after the other", "hone bench --vs REF", "pkg: example.com/wire", "+8.68%", "(p=0.001 n=10) worse",
		"-9.33%", "better", "geomean", "[1] need >= 6 samples for confidence interval at level 0.95"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in:\n%s", want, b.String())
		}
	}
}
