package benchtext

import (
	"fmt"
	"strings"
	"testing"
)

func describe(l Listing, procs int) string {
	var parts []string
	for _, r := range l.Results {
		parts = append(parts, "result "+string(r.Name))
	}
	for _, s := range l.Skipped {
		parts = append(parts, fmt.Sprintf("skipped %s (%s)", s.Name, s.Text))
	}
	for _, f := range l.Failed {
		parts = append(parts, fmt.Sprintf("failed %s (%s)", f.Name, f.Text))
	}
	if r := l.Running(procs, ""); r != "" {
		parts = append(parts, "ended in "+r)
	}
	return strings.Join(parts, ", ")
}

// The outputs are those of go1.26 test binaries with -test.v.
func TestListing(t *testing.T) {
	for _, c := range []struct{ output, want string }{
		{"BenchmarkX\nBenchmarkX-2  \t 1\t 331.0 ns/op\nPASS\n", "result X-2"},
		{"BenchmarkNever\n    a_test.go:3: not here:\n        really\n--- SKIP: BenchmarkNever\nPASS\n",
			"skipped Never (not here:; really)"},
		{"BenchmarkNow\n--- SKIP: BenchmarkNow\nPASS\n", "skipped Now ()"},
		{"BenchmarkS\nBenchmarkS/one\n    a_test.go:4: no 1\n--- SKIP: BenchmarkS/one\nBenchmarkS/two\n" +
			"BenchmarkS/two-2 \t 1\t 7 ns/op\nPASS\n",
			"result S/two-2, skipped S/one (no 1)"},
		{"BenchmarkF\nBenchmarkF/x\n    a_test.go:5: bad thing\n--- FAIL: BenchmarkF/x\nBenchmarkF/y\n" +
			"BenchmarkF/y-2 \t 1\t 3 ns/op\n--- FAIL: BenchmarkF\nFAIL\n",
			"result F/y-2, failed F/x (bad thing)"},
		{"BenchmarkA\nBenchmarkA-2 \t 1\t 3 ns/op\nBenchmarkPanics\n", "result A-2, ended in Panics"},
		{"BenchmarkA\nBenchmarkA/sub\nBenchmarkA/sub-2 \t 1\t 3 ns/op\n", "result A/sub-2, ended in A"},
		{"BenchmarkA\nBenchmarkA/sub\n", "ended in A/sub"},
		{"BenchmarkA\nBenchmarkA-2 \t 1\t 3 ns/op\n", "result A-2"}, // it ended elsewhere: in TestMain
		{"BenchmarkOut\npartialBenchmarkOut-2 \t 1\t 3 ns/op\nPASS\n", "result Out-2"},
		{"PASS\n", ""},
		{"", ""},
	} {
		if got := describe(ReadListing(c.output), 2); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.output, got, c.want)
		}
	}
}

// While a panic ends the process, the next benchmark may begin.
func TestThePanicSaysWhichBenchmarkItWas(t *testing.T) {
	trace := "panic: boo [recovered]\n\ngoroutine 20 [running]:\npanic({0x1, 0x2})\n\tpanic.go:8\n" +
		"example.com/x.BenchmarkGuilty.func1(0x6?)\n\ta_test.go:8 +0x3e\n\ngoroutine 1 [runnable]:\n" +
		"example.com/x.BenchmarkNext(0x1)\n"
	for _, c := range []struct{ stdout, stderr, want string }{
		{"BenchmarkGuilty\nBenchmarkNext\n", trace, "Guilty"},
		{"BenchmarkGuilty\nBenchmarkGuilty/a\nBenchmarkGuilty/a-2 \t 1\t 3 ns/op\nBenchmarkGuilty/b\nBenchmarkGuilty/c\n",
			trace, "Guilty/b"},
		{"BenchmarkGuilty\nBenchmarkGuilty/a\nBenchmarkGuilty/a-2 \t 1\t 3 ns/op\nBenchmarkNext\n", trace, "Guilty"},
		// it printed a result while it ended
		{"BenchmarkGuilty\nBenchmarkGuilty-2 \t 1\t 3 ns/op\nBenchmarkNext\n", trace, "Guilty"},
		{"BenchmarkGuilty\nBenchmarkNext\n", "", "Next"},
		{"BenchmarkOther\n", trace, ""},
	} {
		if got := ReadListing(c.stdout).Running(2, c.stderr); got != c.want {
			t.Errorf("%q: ended in %q, want %q", c.stdout, got, c.want)
		}
	}
}

func FuzzListing(f *testing.F) {
	f.Add("BenchmarkX\n    a_test.go:3: why\n--- SKIP: BenchmarkX\nPASS\n", 2)
	f.Add("BenchmarkX\nBenchmarkX/y\nBenchmarkX/y-2 \t 1\t 3 ns/op\n--- FAIL: BenchmarkX\n", 2)
	f.Add("--- FAIL: Benchmark/\nBenchmark//\n", 1)
	f.Fuzz(func(t *testing.T, output string, procs int) {
		l := ReadListing(output)
		for _, r := range append(l.Skipped, l.Failed...) {
			if !strings.Contains(output, "Benchmark"+r.Name) || r.Name == "" {
				t.Errorf("%q is not in the output", r.Name)
			}
			if len(r.Text) > 400 {
				t.Errorf("a reason of %d bytes", len(r.Text))
			}
		}
		if name := l.Running(procs, output); name != "" && !strings.Contains(output, "Benchmark"+name) {
			t.Errorf("it ended in %q, which is not in the output", name)
		}
	})
}
