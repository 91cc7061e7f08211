package report

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/judge"
)

func TestFix(t *testing.T) {
	verdict := func(low, ratio, high float64) *judge.Verdict {
		return &judge.Verdict{Measure: measure.CPU, Ratio: ratio, Low: low, High: high, Conf: 0.975, Starts: 6,
			Word: judge.Undecided}
	}
	hash := strings.Repeat("c0ffee", 7)[:40]
	kept := &tuning.Rewritten{Number: 1, Rule: "compile-per-call", Title: "it compiles | for each call",
		Place: "main.go:12 main.isWord",
		Does:  "makes it once", Claim: tuning.Less, Decides: verdict(0.85, 0.877, 0.9), Tested: true, Compared: 1607, Commit: hash,
		Repeat: "hone compare abc:. def:. -- 127.0.0.1:{port}", Notes: []string{"a note"}}
	costs := &tuning.Rewritten{Number: 2, Rule: "append-growth", Place: "main.go:40 main.rare", Does: "makes room",
		Claim: tuning.More, Decides: verdict(1.01, 1.05, 1.1), Comparison: "def"}
	refused := &tuning.Rewritten{Number: 5, Rule: "read-lock", Place: "main.go:50 main.get", Does: "lets readers in",
		Refused: "main.go:51:2: it writes"}
	for name, c := range map[string]struct {
		fix       tuning.Fix
		text, not []string
	}{
		"kept": {tuning.Fix{Run: "abc", Branch: "hone/fix-abc", Base: hash, Without: 3, Stopped: "interrupted",
			Tried: []*tuning.Rewritten{kept, costs, refused}},
			[]string{"run abc: 3 findings with a rewrite, 3 without\n",
				"1. compile-per-call, main.go:12 main.isWord: makes it once\n",
				"the patch pays: CPU per request -12.3 % (97.5 % interval -15.0 ... -10.0 %)", "kept: commit c0ffeec0ffee;",
				"1,607 answers compared and the same", "it costs: CPU per request +5.0 %", "hone show def",
				"not tried: main.go:51:2: it writes", "stopped: interrupted", "branch hone/fix-abc: 1 commit on top of c0ffeec0ffee"},
			[]string{"no branch", "nothing was measured"}},
		"none": {tuning.Fix{Run: "abc", Tried: []*tuning.Rewritten{costs}}, []string{"no branch was made"}, []string{"kept"}},
		"planned": {tuning.Fix{Run: "abc", Planned: true, Tried: []*tuning.Rewritten{{Rule: "x"}, refused}},
			[]string{"would be tried", "not tried: main.go:51", "nothing was measured, and nothing is written"}, []string{"branch"}},
		"benchmarks": {tuning.Fix{Benchmarks: "./... --bench .", Planned: true, Without: 2, FewSamples: []string{"BenchmarkA",
			"BenchmarkB"}}, []string{"benchmarks ./... --bench .: 0 findings with a rewrite, 2 without",
			"too few samples for findings in 2 profiles: BenchmarkA, BenchmarkB\n", "no finding of these benchmarks has a rewrite"},
			[]string{"run ", "hone advise"}},
		"by a benchmark": {tuning.Fix{Benchmarks: ".", Tried: []*tuning.Rewritten{
			{Rule: "x", Claim: tuning.Less, Decides: verdict(0.85, 0.877, 0.9), Benchmark: "Sum-2", Commit: hash, Tested: true},
			{Rule: "y", Claim: tuning.None, Decides: verdict(0.98, 0.99, 0.995), Benchmark: "Sum-2"},
			{Rule: "z", Claim: tuning.None, Decides: verdict(0.85, 0.877, 0.9), Benchmark: "Sum-2",
				Caveats: []record.Caveat{{Open: true, Text: "B sees that it is measured"}}}}},
			[]string{"the patch pays: CPU per request of BenchmarkSum-2 -12.3 %", "does not pay enough to be called faster",
				"not shown to pay: CPU per request of BenchmarkSum-2 -12.3 % (97.5 % interval -15.0 ... -10.0 %), but B sees"}, nil},
		"nothing": {tuning.Fix{Run: "abc", Planned: true, Without: 2}, []string{"nothing to try: hone advise abc"}, nil},
	} {
		b := &strings.Builder{}
		if err := Fix(b, &c.fix); err != nil {
			t.Fatal(err)
		}
		wantTexts(t, name, b.String(), c.text, c.not)
	}
	b := &strings.Builder{}
	all := &tuning.Fix{Run: "abc", Branch: "hone/fix-abc", Tried: []*tuning.Rewritten{kept, costs, refused}}
	if err := FixMarkdown(b, all); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, "markdown", b.String(), []string{"1 commit.", "| commit | place | change | gain |", "| `c0ffeec0ffee` |",
		"-12.3 %", "hone compare abc:. def:.", "Tried, and left out:", "main.rare"}, []string{"it compiles | for"})
}

func wantTexts(t *testing.T, name, text string, want, not []string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%s: no %q in\n%s", name, w, text)
		}
	}
	for _, n := range not {
		if strings.Contains(text, n) {
			t.Errorf("%s: %q in\n%s", name, n, text)
		}
	}
}
