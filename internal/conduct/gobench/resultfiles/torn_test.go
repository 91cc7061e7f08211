package resultfiles

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/judge"
)

// What a benchmark prints tears its result line, and the result is compared.
func TestTornResultsOfFilesArePutTogether(t *testing.T) {
	for name, form := range map[string]string{
		"a log line":           "BenchmarkCut-8   \t2026/11/29 08:00:00 started\n    1000\t  %s ns/op\t 8 B/op",
		"an empty line":        "BenchmarkCut-8   \t\n    1000\t  %s ns/op",
		"several lines":        "BenchmarkCut-8   \tone\ntwo 2\n\nkey: value\n    1000\t  %s ns/op",
		"text without a break": "BenchmarkCut-8   \tstarted    1000\t  %s ns/op",
		"text before the name": "startedBenchmarkCut-8   \t    1000\t  %s ns/op",
		"both":                 "startedBenchmarkCut-8   \tmore\n    1000\t  %s ns/op",
		"a prose line": "BenchmarkCut-8   \tstarted\nBenchmarking is fun\nBenchmark results:\n" +
			"    1000\t  %s ns/op",
		"numbers":                   "BenchmarkCut-8   \t42 7 items\n    1000\t  %s ns/op",
		"the name of -v":            "BenchmarkCut\nlog\nBenchmarkCut-8   \tlog\n    1000\t  %s ns/op",
		"with a measure of its own": "BenchmarkCut-8   \tlog\n    1000\t  %s ns/op\t  3.5 frames/op",
		"a line of 100 kB": "BenchmarkCut-8   \t" + strings.Repeat("x", 100_000) + "\n" +
			strings.Repeat("y", 100_000) + "\n    1000\t  %s ns/op",
		"Windows' line ends": "BenchmarkCut-8   \tlog\r\n    1000\t  %s ns/op\r",
	} {
		file := func(from float64) string {
			text := "pkg: x\n"
			for i := range 6 {
				text += fmt.Sprintf(form, fmt.Sprint(from+float64(i)/10)) + "\nBenchmarkOk-8\t100\t99." +
					fmt.Sprint(i) + " ns/op\n"
			}
			return text
		}
		tables := mustCompare(t, Task{Test: spec.Test{Gates: gatesOf(t, "time<+5%")}}, file(100), file(200))
		if n := tables.GateCount(); n[gate.Failed] != 1 || n[gate.Passed] != 1 || n[gate.Open] != 0 {
			t.Errorf("%s: gates %v, want one failed and one passed: %+v", name, n, tables.OpenGates)
		}
		if len(tables.Failures) > 0 || len(tables.Warnings) > 0 && name != "a prose line" {
			t.Errorf("%s: warnings %q, failures %v", name, tables.Warnings, tables.Failures)
		}
	}
}

// A name without a result in one file, or in both, is a benchmark that was not compared.
func TestAGateOnAnUnreadResultIsUndecided(t *testing.T) {
	good, whole := six("BenchmarkA-8 10 100 ns/op"), six("BenchmarkB-8 10 100 ns/op")
	for name, cut := range map[string]string{
		"no values":           "BenchmarkB-8   \tstarted\n",
		"no number":           "BenchmarkB-8 ten 100 ns/op\n",
		"no unit":             "BenchmarkB-8 10 100\n",
		"no time":             "BenchmarkB-8   \tstarted\n   10\t 3 frames/op\n",
		"a value that is NaN": "BenchmarkB-8 10 NaN ns/op\n",
		"skipped":             "--- SKIP: BenchmarkB\n",
		"skipped, torn":       "BenchmarkB-8   \tlog--- SKIP: BenchmarkB-8\n",
	} {
		for _, files := range [][2]string{{good + cut, good + whole}, {good + whole, good + cut}} {
			tables := mustCompare(t, Task{Test: spec.Test{Gates: gatesOf(t, "time<+2%")}}, files[0], files[1])
			if len(tables.OpenGates) != 1 || tables.OpenGates[0].Name != "B-8" ||
				!strings.Contains(tables.OpenGates[0].Reason, "has no result: it") {
				t.Errorf("%s: undecided gates %+v, want one on B-8 with the reason", name, tables.OpenGates)
			}
		}
		both := mustCompare(t, Task{Test: spec.Test{Gates: gatesOf(t, "time<+2%")}}, good+cut, good+cut)
		if n := both.GateCount(); (n[gate.Open] == 1) == strings.Contains(name, "skipped") {
			t.Errorf("%s in both files: gates %v, want an undecided one unless it skips itself", name, n)
		}
	}
	some := mustCompare(t, Task{Test: spec.Test{Gates: gatesOf(t, "time<+2%")}}, good+good+"BenchmarkA-8 \tcut off",
		good+good)
	if n := some.GateCount(); n[gate.Passed] != 1 || len(n) != 1 || len(some.Warnings) != 1 {
		t.Errorf("gates %v, warnings %q, want the other results of the benchmark compared", n, some.Warnings)
	}
}

// A unit that a file declares by a Unit line has the better direction of that line, in both files.
func TestUnitLinesSayWhichWayIsBetter(t *testing.T) {
	for text, want := range map[string]judge.Word{"Unit score better=higher\n": judge.Slower,
		"Unit score better=lower\n": judge.Faster, "": ""} {
		old, now := text+six("BenchmarkA-8 10 100 score"), six("BenchmarkA-8 10 50 score")
		if got := mustCompare(t, Task{}, old, now).Tables[0].Rows[0].Cells[1].Change.Word; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
