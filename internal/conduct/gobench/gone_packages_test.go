package gobench

import (
	"slices"
	"testing"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/testkit/moduletest"
)

// The benchmarks of a package that is gone on B, or has none there any more, are named: those that were asked for.
func TestBenchmarksOfAPackageThatIsGone(t *testing.T) {
	const tests = "package p\n\nimport \"testing\"\n\nfunc BenchmarkJoin(b *testing.B) {}\n\n" +
		"func BenchmarkSum(b *testing.B) {}\n\nfunc TestJoin(t *testing.T) {}\n"
	with := func(path string) sources.Listed {
		return sources.Listed{Dir: moduletest.WriteFiles(t, map[string]string{"p_test.go": tests}), ImportPath: path,
			TestGoFiles: []string{"p_test.go"}}
	}
	kept, moved, emptied := with("example.com/kept"), with("example.com/moved"), with("example.com/emptied")
	empty := sources.Listed{Dir: t.TempDir(), ImportPath: "example.com/emptied"}
	both, gone, _ := pair([]sources.Listed{kept, moved, emptied}, []sources.Listed{kept, empty}, "")
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
			sides:  [2]*sources.Side{{Side: benchmarks.Side{Name: "A"}}, {Side: benchmarks.Side{Name: "B"}}},
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
