package benchtext

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/gobench/process"
)

func names(output string) string {
	var all []string
	for _, r := range Scan(output) {
		text := fmt.Sprintf("%s %d", r.Name, r.Iters)
		for _, v := range r.Values {
			value, unit := PrintedValue(v)
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
		for _, r := range Scan(output) {
			if !strings.Contains(output, "Benchmark"+string(r.Name)) {
				t.Errorf("result of %q is not in the output", r.Name)
			}
			if len(r.Values) == 0 {
				t.Errorf("result of %q has no values", r.Name)
			}
			SampleOf(r)
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
		if got := Exactly(PlainName(c.name, c.procs)); got != c.want {
			t.Errorf("%s with %d: %s, want %s", c.name, c.procs, got, c.want)
		}
	}
}

// The pattern finds the one sub-benchmark, however it is called, with the testing package
// itself as the judge: this test runs its own binary.
func TestPatternsFindOddNames(t *testing.T) {
	p := process.Program{Path: os.Args[0], Dir: t.TempDir(), Env: append(os.Environ(), "ODD_NAMES=1")}
	run := func(pattern string) []string {
		e, err := p.Run(t.Context(), "-test.run=^$", "-test.bench="+pattern, "-test.benchtime=1x", "-test.cpu=1")
		if err != nil {
			t.Fatal(err, e.LastWords())
		}
		var found []string
		for _, r := range Scan(e.Stdout) {
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
