package gobench

import (
	"slices"
	"testing"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
)

// The benchmarks of a package that is gone on B, or has none there any more, are named: those that were asked for.
func TestBenchmarksOfAPackageThatIsGone(t *testing.T) {
	const tests = "package p\n\nimport \"testing\"\n\nfunc BenchmarkJoin(b *testing.B) {}\n\nfunc BenchmarkSum(b *testing.B) {}\n\nfunc TestJoin(t *testing.T) {}\n"
	with := func(path string) listed {
		return listed{Dir: tree(t, map[string]string{"p_test.go": tests}), ImportPath: path,
			TestGoFiles: []string{"p_test.go"}}
	}
	kept, moved, emptied := with("example.com/kept"), with("example.com/moved"), with("example.com/emptied")
	empty := listed{Dir: t.TempDir(), ImportPath: "example.com/emptied"}
	both, gone, _ := pair([]listed{kept, moved, emptied}, []listed{kept, empty}, "")
	if len(both) != 1 || len(gone) != 2 {
		t.Fatalf("on both sides %d, gone %d", len(both), len(gone))
	}
	for _, c := range []struct {
		bench, skip string
		want        []string
	}{
		{"", "", []string{"example.com/emptied Join", "example.com/emptied Sum", "example.com/moved Join",
			"example.com/moved Sum"}},
		{"Join", "", []string{"example.com/emptied Join", "example.com/moved Join"}},
		{"", "^BenchmarkSum$", []string{"example.com/emptied Join", "example.com/moved Join"}},
		{"Nothing", "", nil},
		{"", "Join/words=5", []string{"example.com/emptied Join", "example.com/emptied Sum", "example.com/moved Join",
			"example.com/moved Sum"}},
	} {
		m := &measurement{
			task:   Task{Bench: spec.Bench{Pattern: c.bench, Skip: c.skip}}.withDefaults(),
			sides:  [2]*builtSide{{Side: benchmarks.Side{Name: "A"}}, {Side: benchmarks.Side{Name: "B"}}},
			result: &benchmarks.Result{},
		}
		m.noteMissing(gone)
		var got []string
		for _, o := range m.result.OneSided {
			got = append(got, o.Package+" "+o.Name)
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("--bench %q --skip %q: %q, want %q", c.bench, c.skip, got, c.want)
		}
	}
}
