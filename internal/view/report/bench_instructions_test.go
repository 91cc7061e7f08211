package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

// countResult is a count of two benchmarks: one that executes less, with seven functions that
// changed, and one that is the same.
func countResult() *benchmarks.Result {
	fewer := &benchmarks.InstructionCount{Few: 100, Many: 500, Scatter: 0.001}
	for i := range 7 {
		fewer.Functions = append(fewer.Functions, benchmarks.FunctionCount{
			Function: fmt.Sprintf("example.com/x.(*T).f%d", i), SelfA: 1234, SelfB: 1234 - float64(i), InclusiveA: 2000,
			InclusiveB: 1999, Share: -1.5, Shown: true})
	}
	fewer.Functions = append(fewer.Functions, benchmarks.FunctionCount{Function: "runtime.mallocgc", SelfA: 900,
		SelfB: 901})
	v := func(word judge.Word, a, b, low, high float64) []judge.Verdict {
		return []judge.Verdict{{Measure: measure.OperationInstructions, Word: word, A: a, B: b, Ratio: b / a, Low: low,
			High: high, Starts: 4}}
	}
	return &benchmarks.Result{
		Sides: [2]benchmarks.Side{{Name: "A", Label: "main"}, {Name: "B", Label: "working tree"}}, Alpha: 0.05,
		Delta: 0.001, Rounds: 4,
		Stopped: benchmarks.StoppedCount, Files: [2]string{"a.txt", "b.txt"},
		Instructions: &benchmarks.InstructionCounter{Valgrind: "3.19.0",
			Settings: [2][]string{{"GOMAXPROCS=1"}, {"GOMAXPROCS=1"}}},
		Benchmarks: []benchmarks.Benchmark{
			{Package: "example.com/x", Name: "Less", Verdicts: v(judge.Faster, 1234, 1180, 0.954, 0.958),
				Instructions: fewer},
			{Package: "example.com/x", Name: "Same|@me", Verdicts: v(judge.Same, 500, 500, 0.9995, 1.0005),
				Instructions: &benchmarks.InstructionCount{}},
		},
	}
}

func TestInstructionsAreNotCalledTime(t *testing.T) {
	var b strings.Builder
	if err := Bench(&b, countResult()); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if !strings.HasPrefix(text, "B executes fewer instructions than A: 1 of 2 benchmarks fewer, 1 same\n") {
		t.Errorf("the sentence is missing:\n%s", text)
	}
	for _, want := range []string{"instructions per operation: 1,234 -> 1,180 (-4.4 %): fewer, interval -4.6 ... -4.2 %, n=4; the runs of one side differ by 0.100 %",
		"-1.5 %  example.com/x.(*T).f0  1,234 -> 1,234  2,000 -> 1,999",
		"together -7.5 % of A; 2 functions more in --json",
		"valgrind 3.19.0 counted, with GOMAXPROCS=1", "Instructions are not time"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	for _, not := range []string{"mallocgc", "slower", "faster", "f5"} {
		if strings.Contains(text, not) {
			t.Errorf("%q in:\n%s", not, text)
		}
	}
}

func TestInstructionsInAComment(t *testing.T) {
	var b strings.Builder
	if err := BenchMarkdown(&b, countResult()); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{"**B executes fewer instructions than A: 1 of 2 benchmarks fewer, 1 same**",
		"#### instructions per operation",
		"| <code>example.com/x Less</code> | 1,234 -&#62; 1,180 instructions | -4.4 % | -4.6 ... -4.2 % | fewer (n=4) |",
		"<details><summary>functions of Less that changed</summary>",
		"| -1.5 % | <code>example.com/x.(&#42;T).f0</code> | 1,234 -&#62; 1,234 | 2,000 -&#62; 1,999 |",
		"Instructions are not time"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}
