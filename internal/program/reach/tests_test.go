package reach

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// library has benchmarks that execute one of its functions each.
var library = map[string]string{
	"go.mod": "module example.com/lib\ngo 1.24\n",
	"lib.go": `package lib

var size = setUp(1)

func setUp(n int) int { return n + 1 }

//go:noinline
func One(n int) int {
	if n < 0 {
		return -n
	}
	return n + size
}

//go:noinline
func Two(n int) int { return n + 2 }

//go:noinline
func Tested(n int) int { return n + 3 }

//go:noinline
func Unused(n int) int { return n + 4 }

//go:noinline
func Both(n int) int { return n + 5 }
`,
	"lib_test.go": `package lib

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	Both(1)
	os.Exit(m.Run())
}

func BenchmarkOne(b *testing.B) {
	for i := range b.N {
		One(i)
	}
}

func BenchmarkTwo(b *testing.B) {
	b.Run("sub", func(b *testing.B) {
		for i := range b.N {
			Both(Two(i))
		}
	})
}

func TestTested(t *testing.T) { Tested(1) }

func TestBad(t *testing.T) { t.Fatal("it counts all the same") }
`,
}

func TestWhatBenchmarksAndTestsExecute(t *testing.T) {
	t.Parallel()
	changed := maps.Clone(library)
	text := changed["lib.go"]
	for from, to := range map[string]string{"n + 1 }": "n + 10 }", "return -n": "return -n - 1",
		"return n + size": "return n + 2*size", "n + 2 ": "n + 20 ", "n + 3": "n + 30", "n + 4": "n + 40", "n + 5": "n + 50"} {
		if strings.Count(text, from) != 1 {
			t.Fatalf("%q is not once in the source", from)
		}
		text = strings.Replace(text, from, to, 1)
	}
	changed["lib.go"] = text
	changed["lib_test.go"] = strings.Replace(library["lib_test.go"], "all the same", "as well", 1)
	both := [2]Side{written(t, library), written(t, changed)}
	packages, _, err := Packages(t.Context(), both)
	if err != nil || len(packages) != 1 || packages[0].Tests != [2]bool{true, true} {
		t.Fatal(packages, err)
	}
	all := packages[0].Changed
	change := all.WithoutTests()
	if len(all.Table.Functions) != len(change.Table.Functions)+1 { // TestBad
		t.Errorf("with those of test files: %+v", all.Table.Functions)
	}
	start, runs := change.Run(Start, ""), []Execution{change.Run(Test, ""), change.Run(Benchmark, "One"),
		change.Run(Benchmark, "Two")}
	for side, s := range both {
		binary, err := BuildTests(t.Context(), s, change.Counted(side), filepath.Join(t.TempDir(), "lib.test"))
		if err != nil {
			t.Fatal(err)
		}
		run := func(args []string) Counters {
			c, _, err := binary.Run(t.Context(), args...)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		start.Counters[side] = run(NoTests)
		runs[0].Counters[side] = run(AllTests)
		runs[1].Counters[side] = run(OneBenchmark("BenchmarkOne"))
		runs[2].Counters[side] = run(OneBenchmark("BenchmarkTwo"))
	}
	for i := range runs {
		runs[i] = runs[i].After(start)
	}
	table := change.Executed(append([]Execution{start}, runs...))
	got := map[string]string{}
	for _, f := range table.Functions {
		var kinds []string
		for _, k := range f.Executed {
			kinds = append(kinds, string(k))
		}
		got[f.Name] = strings.Join(slices.Concat(kinds, f.Benchmarks), " ")
	}
	want := map[string]string{"lib.init": "start", "lib.setUp": "start", "lib.One": "benchmark One",
		"lib.Two": "benchmark Two", "lib.Tested": "test", "lib.Unused": "", "lib.Both": "start benchmark Two"}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if want := (Lines{All: 7, Benchmark: 3, Test: 1}); table.Lines != want {
		t.Errorf("lines %+v, want %+v", table.Lines, want)
	}
	runs[0].Failed = true
	for _, f := range change.Executed(append([]Execution{start}, runs...)).Functions {
		want := "test run failed, and may execute it"
		if slices.Contains(f.Executed, Test) || f.Name == "lib.init" { // no test calls that
			want = ""
		}
		if f.Uncounted != want {
			t.Errorf("%s is in doubt by %q, want %q", f.Name, f.Uncounted, want)
		}
	}
}
