package resultfiles

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/fail"
)

// six is six results of a benchmark: the fewest that a U test can tell apart at 5 %.
func six(lines string) string { return strings.Repeat(lines+"\n", 6) }

// compareTexts compares files with these texts, which are called a, b and so on.
func compareTexts(t *testing.T, r Task, texts ...string) (*benchmarks.Tables, error) {
	t.Helper()
	dir := t.TempDir()
	for i, text := range texts {
		name := string(rune('a' + i))
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r.Paths = append(r.Paths, name+"="+path)
	}
	return Compare(t.Context(), r)
}

func mustCompare(t *testing.T, r Task, texts ...string) *benchmarks.Tables {
	t.Helper()
	tables, err := compareTexts(t, r, texts...)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// gatesOf are the gates on what every benchmark has, and on instructions.
func gatesOf(t *testing.T, texts ...string) (gates []gate.Gate) {
	t.Helper()
	for _, text := range texts {
		g, err := gate.ParseOf(text, slices.Concat(measure.OfBenchmarks, measure.OfInstructions))
		if err != nil {
			t.Fatal(err)
		}
		gates = append(gates, g)
	}
	return gates
}

func TestValuesThatAreNoNumberAreLeftOut(t *testing.T) {
	for _, odd := range []string{"NaN", "+Inf", "-Inf", "nan", "inf"} {
		bad := six("BenchmarkA-8 10 100 ns/op " + odd + " ratio")
		tables := mustCompare(t, Task{}, six("BenchmarkA-8 10 100 ns/op 0.5 ratio"), bad)
		if len(tables.Warnings) != 1 || !strings.Contains(tables.Warnings[0], "b:1: A-8: ") {
			t.Errorf("%s: warnings %q, want one with file, line and benchmark", odd, tables.Warnings)
		}
		if last := tables.Tables[len(tables.Tables)-1]; last.Unit != "ratio" || last.Rows[0].Cells[1] != nil {
			t.Errorf("%s: table %+v, want no value in the second file", odd, last)
		}
		if n := mustCompare(t, Task{Test: spec.Test{Gates: gatesOf(t, "time<+2%")}}, bad,
			bad).GateCount(); n[gate.Passed] != 1 {
			t.Errorf("%s: gates %v, want the time of the same lines compared", odd, n)
		}
	}
	noTime := six("BenchmarkA-8 10 NaN ns/op 1 B/op")
	if n := mustCompare(t, Task{Test: spec.Test{Gates: gatesOf(t, "time<+2%")}}, noTime,
		noTime).GateCount(); n[gate.Open] != 1 || len(n) != 1 {
		t.Errorf("gates %v on a time that is NaN, want one that is undecided", n)
	}
}

// Nothing that was not compared passes.
func TestAGateOnWhatAFileLacksIsUndecided(t *testing.T) {
	plain, full := six("BenchmarkA-8 10 100 ns/op"), six("BenchmarkA-8 10 100 ns/op 1 B/op 0 allocs/op")
	for _, c := range []struct {
		name, gate, old, now, reason string
	}{
		{"in both", "allocs<=0", plain, plain,
			"no allocations per operation in a and b: go test -benchmem writes them"},
		{"in the first", "bytes<+2%", plain, full, "in a: go test -benchmem"},
		{"in the second", "allocs<=0", full, plain, "in b: go test -benchmem"},
		{"CPU time", "cpu<+2%", full, full, "hone bench measures it"},
		{"instructions", "instructions<+2%", full, full, "hone bench --instructions"},
		{"a function", "func(x.Y)<+2%", full, full, "hone bench --instructions"},
		{"the benchmark", "time<+2%", full + six("BenchmarkB-8 10 1 ns/op"), full, "b does not have this benchmark"},
		{"it failed", "time<+2%", full + six("BenchmarkB-8 10 1 ns/op"), full + "--- FAIL: BenchmarkB-8\n",
			"b has no result: it failed"},
		{"it skipped itself", "time<+2%", full + six("BenchmarkB-8 10 1 ns/op"), full + "--- SKIP: BenchmarkB-8\n",
			"b has no result: it skipped itself"},
		{"another machine", "time<+2%", "cpu: A\n" + plain, "cpu: B\n" + plain, "b does not have this benchmark"},
	} {
		tables := mustCompare(t, Task{Test: spec.Test{Gates: gatesOf(t, c.gate)}}, c.old, c.now)
		if len(tables.OpenGates) != 1 || !strings.Contains(tables.OpenGates[0].Reason, c.reason) {
			t.Errorf("%s: undecided %+v, want %q", c.name, tables.OpenGates, c.reason)
		}
		if tables.GateCount()[gate.Open] == 0 {
			t.Errorf("%s: no gate counts as undecided", c.name)
		}
	}
	more := mustCompare(t, Task{Test: spec.Test{Gates: gatesOf(t, "time<+2%", "allocs<=0")}}, full,
		full+six("BenchmarkNew-8 10 1 ns/op"))
	if n := more.GateCount(); n[gate.Passed] != 2 || len(n) != 1 {
		t.Errorf("gates %v with a benchmark that is new, want two that pass", n)
	}
}

func TestFilesSayWhatFailed(t *testing.T) {
	good := "pkg: x\n" + six("BenchmarkA-8 10 100 ns/op")
	tables := mustCompare(t, Task{}, good, good+
		"    --- FAIL: BenchmarkB/sub-8\n--- FAIL: BenchmarkB-8\nFAIL\nexit status 1\nFAIL\tx\t1.2s\n# y\n"+
		"FAIL\ty [build failed]\nFAIL\tz\t0.1s\n--- FAIL: TestOther\n")
	var got []string
	for _, f := range tables.Failures {
		got = append(got, strings.TrimSpace(f.Package+" "+f.Name+" "+f.Text))
	}
	want := []string{"x B/sub-8 it failed", "x B-8 it failed", "y  it failed: build failed", "z  it failed"}
	if !slices.Equal(got, want) {
		t.Errorf("failures %q, want %q", got, want)
	}
	for text, kind := range map[string]fail.Kind{
		"# x\n./a.go:1:1: syntax error\nFAIL\tx [build failed]\n": fail.Subject,
		"PASS\nok  \tx\t0.1s\n":                                   fail.BadInput,
		"":                                                        fail.BadInput,
		"BenchmarkA-8 10 100\n":                                   fail.BadInput,
		`{"Action":"start","Package":"x"}` + "\n": fail.BadInput,
	} {
		for _, texts := range [][]string{{good, text}, {text, good}} {
			if _, err := compareTexts(t, Task{}, texts...); fail.KindOf(err) != kind {
				t.Errorf("%q: %v, want an error of kind %v", text, err, kind)
			}
		}
	}
}

// A unit does not depend on the value: 0 ns is as much a time as 1 ns.
func TestZeroHasTheUnitOfItsColumn(t *testing.T) {
	for _, unit := range []string{"ns/op", "pause-ns/op", "MB/s", "p99-ns"} {
		tables := mustCompare(t, Task{}, six("BenchmarkA-8 10 0 "+unit), six("BenchmarkA-8 10 5000 "+unit))
		if len(tables.Tables) != 1 || tables.Tables[0].Rows[0].Cells[1].Change == nil {
			t.Errorf("%s: %d tables, want one with a change from 0 to 5000", unit, len(tables.Tables))
		}
	}
}

func TestResultsThatDifferInAKey(t *testing.T) {
	a, b := "cpu: A\npkg: x\n"+six("BenchmarkA-8 10 100 ns/op"), "cpu: B\npkg: x\n"+six("BenchmarkA-8 10 100 ns/op")
	apart := mustCompare(t, Task{}, a, b).Apart
	if fmt.Sprint(apart) != "[{cpu [A B]}]" {
		t.Errorf("differ in %v, want the cpu", apart)
	}
	together := mustCompare(t, Task{Bench: spec.Bench{Ignore: []string{"cpu"}}}, a, b)
	if len(together.Apart) != 0 || len(together.Tables) != 1 || together.Tables[0].Rows[0].Cells[1].Change == nil {
		t.Errorf("with cpu ignored: %+v", together)
	}
	both := a + "pkg: y\n" + six("BenchmarkA-8 10 100 ns/op") + "pkg: z\n" + six("BenchmarkA-8 10 100 ns/op")
	if apart := mustCompare(t, Task{}, both, a).Apart; len(apart) != 0 {
		t.Errorf("differ in %v: packages of one file are no other configuration", apart)
	}
	for _, key := range []string{"cpus", "@", ""} {
		if _, err := compareTexts(t, Task{Bench: spec.Bench{Ignore: []string{key}}}, a,
			b); fail.KindOf(err) != fail.BadInput {
			t.Errorf("--ignore %q: %v, want a refusal", key, err)
		}
	}
}

func TestFilesInOtherForms(t *testing.T) {
	plain := "goos: linux\npkg: x\n" + six("BenchmarkA-8 \t 10 \t 100 ns/op")
	want := mustCompare(t, Task{}, plain, plain)
	utf16Of := func(low, high int) string {
		var out []byte
		for _, u := range utf16.Encode([]rune("\ufeff" + strings.ReplaceAll(plain, "\n", "\r\n"))) {
			pair := [2]byte{byte(u), byte(u >> 8)}
			out = append(out, pair[low], pair[high])
		}
		return string(out)
	}
	for name, text := range map[string]string{
		"UTF-8 with a mark": "\ufeff" + plain,
		"UTF-16 of Windows": utf16Of(0, 1),
		"UTF-16 big endian": utf16Of(1, 0),
		"go test -json":     events(t, "x", plain),
		"two at a time": interleaved(events(t, "x", plain),
			events(t, "y", "goos: linux\npkg: y\n"+six("BenchmarkB-8 10 1 ns/op"))),
		"with empty lines":    "\n" + strings.ReplaceAll(events(t, "x", plain), "\n", "\n\n"),
		"lines end by return": strings.ReplaceAll(plain, "\n", "\r\n"),
	} {
		got := mustCompare(t, Task{}, plain, text)
		if fmt.Sprint(got.Tables[0].Config, got.Tables[0].Rows[0].Cells[1].Change) != fmt.Sprint(want.Tables[0].Config,
			want.Tables[0].Rows[0].Cells[1].Change) {
			t.Errorf("%s: %+v, want %+v", name, got.Tables[0], want.Tables[0])
		}
	}
	if _, err := compareTexts(t, Task{}, plain, events(t, "x", plain)+"{torn"); err == nil ||
		!strings.Contains(err.Error(), "b:") {
		t.Errorf("a torn event: %v, want its file and line", err)
	}
}

// events is a text as go test -json writes it: names and values in events of their own.
func events(t *testing.T, pkg, text string) string {
	t.Helper()
	var out strings.Builder
	enc := json.NewEncoder(&out)
	for line := range strings.Lines(text) {
		name, rest, found := strings.Cut(line, "\t")
		parts := []string{line}
		if found {
			parts = []string{name + "\t", rest}
		}
		for _, p := range parts {
			if err := enc.Encode(map[string]any{"Time": "2026-11-26T00:00:00Z", "Action": "output", "Package": pkg,
				"Output": p}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out.String()
}

// interleaved takes a line of each in turn.
func interleaved(a, b string) string {
	var out strings.Builder
	x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	for i := range max(len(x), len(y)) {
		if i < len(x) {
			out.WriteString(x[i])
		}
		if i < len(y) {
			out.WriteString(y[i])
		}
	}
	return out.String()
}
