package gobench

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/benchmarks"
)

func names(output string) string {
	var all []string
	for _, r := range scan(output) {
		text := fmt.Sprintf("%s %d", r.Name, r.Iters)
		for _, v := range r.Values {
			value, unit := printedUnit(v)
			text += fmt.Sprintf(" %v %s", value, unit)
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

func TestScanFindsResultsAmongWhateverIsPrinted(t *testing.T) {
	for _, c := range []struct{ output, want string }{
		{"goos: linux\nBenchmarkX-2   \t     100\t      12.5 ns/op\t 8 B/op\t 1 allocs/op\nPASS\n",
			"X-2 100 12.5 ns/op 8 B/op 1 allocs/op"},
		{"BenchmarkX-2 \thello\n     100\t      12 ns/op\nPASS\n", "X-2 100 12 ns/op"},
		{"BenchmarkX-2 \tno newline     100\t      12 ns/op\t 3.00 MB/s\n", "X-2 100 12 ns/op 3 MB/s"},
		{"BenchmarkX-2 \tlog\nlog\nlog 7\n 100\t 12 ns/op\nBenchmarkY \t 7\t 1 ns/op\n",
			"X-2 100 12 ns/op; Y 7 1 ns/op"},
		{"BenchmarkHidden-2 \t 5\t 3.5 frames/op\n", "Hidden-2 5 3.5 frames/op"},
		{"Benchmarking is fun\n  100\t 12 parsecs\n", ""},
		{"100\t 12 ns/op\n", ""}, // without a name
		{"--- FAIL: BenchmarkX-2\n    x_test.go:3: 100\t 12 ns/op\n", ""},
		{"", ""},
	} {
		if got := names(c.output); got != c.want {
			t.Errorf("scan %q: %q, want %q", c.output, got, c.want)
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add("BenchmarkX-2 \t 100\t 12.5 ns/op\n")
	f.Add("BenchmarkX-2 \tlog\n 100\t 12 ns/op\n")
	f.Add("BenchmarkX/a=b-2\t1\t1e9 ns/op\t0 B/op\npkg: x\n")
	f.Add("pkg: \xff\nBenchmark\r\n1 1 ns/op")
	f.Fuzz(func(t *testing.T, output string) {
		for _, r := range scan(output) {
			if !strings.Contains(output, "Benchmark"+string(r.Name)) {
				t.Errorf("result of %q is not in the output", r.Name)
			}
			if len(r.Values) == 0 {
				t.Errorf("result of %q has no values", r.Name)
			}
			sampleOf(r)
		}
	})
}

func TestExactlyOneBenchmark(t *testing.T) {
	for _, c := range []struct {
		name  string
		procs int
		want  string
	}{
		{"X-2", 2, "^BenchmarkX$"},
		{"X", 1, "^BenchmarkX$"},
		{"X/size-8", 1, "^BenchmarkX$/^size-8$"}, // GOMAXPROCS 1 has no suffix
		{"X/size-8-8", 8, "^BenchmarkX$/^size-8$"},
		{"X/a/b[1]#01-4", 4, `^BenchmarkX$/^a$/^b\[1\]#01$`},
	} {
		if got := Exactly(plainName(c.name, c.procs)); got != c.want {
			t.Errorf("%s with %d: %s, want %s", c.name, c.procs, got, c.want)
		}
	}
}

// The pattern finds the one sub-benchmark, however it is called, with the testing package
// itself as the judge: this test runs its own binary.
func TestPatternsFindOddNames(t *testing.T) {
	p := program{path: os.Args[0], dir: t.TempDir(), env: append(os.Environ(), "ODD_NAMES=1")}
	run := func(pattern string) []string {
		e, err := p.run(t.Context(), "-test.run=^$", "-test.bench="+pattern, "-test.benchtime=1x", "-test.cpu=1")
		if err != nil {
			t.Fatal(err, e.lastWords())
		}
		var found []string
		for _, r := range scan(e.stdout) {
			found = append(found, string(r.Name))
		}
		return found
	}
	all := run("OddNames")
	if len(all) != len(oddNames) {
		t.Fatalf("found %q, want as many as %q", all, oddNames)
	}
	for _, name := range all {
		if got := run(Exactly(name)); len(got) != 1 || got[0] != name {
			t.Errorf("pattern %s finds %q, want only %q", Exactly(name), got, name)
		}
	}
}

var oddNames = []string{"plain", "plain-1", "with space", "a/b", "b[1]", "(x|y)", "x", "same", "same", "ünï",
	"back\\slash", "^$", "tab\t"}

func BenchmarkOddNames(b *testing.B) {
	if os.Getenv("ODD_NAMES") == "" {
		b.Skip("only for TestPatternsFindOddNames")
	}
	for _, name := range oddNames {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				_ = regexp.QuoteMeta(name)
			}
		})
	}
}

func TestOperationsFillTheTimeOfTheFasterSide(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want int
	}{
		{100, 100, 1000000}, // 100 ms
		{100, 130, 1000000},
		{130, 100, 1000000},
		{100, 10000, 50000}, // the slower one takes 500 ms
		{2e8, 2e8, 1},
		{123, 123, 810000}, // two digits
		{0, 100, 42},       // hidden: as many as it did by itself
	} {
		if got := operations([2]float64{c.a, c.b}, 42, 1e8); got != c.want {
			t.Errorf("%v and %v ns: %d operations, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestOutFilesAreReadBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "out.txt")
	s, err := newSink("", path, &builtSide{Side: benchmarks.Side{Name: "A", Label: "v1"}})
	if err != nil {
		t.Fatal(err)
	}
	r := scan("BenchmarkX-2\t100\t12 ns/op\t5.5 frames/op\n")[0]
	r.Config = configOf(r, &pkg{path: "example.com/x"})
	for range 3 {
		if err := s.add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	tables, err := Compare(t.Context(), FileTask{Paths: []string{path, "again=" + path}})
	if err != nil {
		t.Fatal(err)
	}
	if len(tables.Warnings) > 0 || len(tables.Tables) != 2 || tables.Tables[0].Rows[0].Cells[1].N != 3 {
		t.Errorf("read back %+v", tables)
	}
}
