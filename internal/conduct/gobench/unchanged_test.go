package gobench

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/testkit/moduletest"
)

// unchangedModule has a benchmark for each of two functions, one that reads a file, and one that reads testdata.
var unchangedModule = map[string]string{
	"go.mod":    "module example.com/m\n\ngo 1.24\n",
	"notes.txt": "notes",
	"README.md": "readme",
	"m.go": "package m\n\n//go:noinline\nfunc One(n int) int { return n + 1 }\n\n//go:noinline\n" +
		"func Two(n int) int { return n + 2 }\n",
	"m_test.go": `package m

import (
	"os"
	"testing"
)

func BenchmarkOne(b *testing.B) { for i := range b.N { One(i) } }
func BenchmarkTwo(b *testing.B) { b.Run("sub", func(b *testing.B) { for i := range b.N { Two(i) } }) }
func BenchmarkFile(b *testing.B) { for range b.N { _, _ = os.ReadFile("notes.txt") } }
`,
}

func TestUnchangedBenchmarksAreNotMeasured(t *testing.T) {
	for _, c := range []struct {
		name     string
		changed  map[string]string
		measured []string
		more     func(*Task)
	}{
		{"one function",
			map[string]string{"m.go": "package m\n\n// One adds.\n//\n//go:noinline\nfunc One(n int) int { return n + 1 }\n\n" +
				"//go:noinline\nfunc Two(n int) int { return n + 3 }\n"}, []string{"Two/sub"}, nil},
		{"a file that one reads", map[string]string{"notes.txt": "other notes", "README.md": "other"}, []string{"File"},
			nil},
		{"a file that none reads", map[string]string{"README.md": "other", "docs/page.md": "new"}, nil, nil},
		{"testdata", map[string]string{"testdata/x": "new"}, []string{"File", "One", "Two/sub"}, nil},
		{"nothing, and all are wanted", nil, []string{"File", "One", "Two/sub"}, func(r *Task) { r.All = true }},
		{"nothing, and the environments differ", nil, []string{"File", "One", "Two/sub"},
			func(r *Task) { r.Options.Env = []string{"A:X=1"} }},
		{"nothing, and one is asked for", nil, nil, func(r *Task) { r.Pattern = "One" }},
		{"the tests of one side for both", map[string]string{"m_test.go": unchangedModule["m_test.go"] +
			"\nfunc BenchmarkNew(b *testing.B) { for i := range b.N { Two(i) } }\n"}, nil,
			func(r *Task) { r.Tests = "B" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := moduletest.WriteFiles(t, unchangedModule)
			for name, text := range c.changed {
				path := filepath.Join(now, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			limit, err := gate.ParseOf("allocs<=0", measure.OfBenchmarks)
			if err != nil {
				t.Fatal(err)
			}
			r := Task{Test: spec.Test{Count: 1, Gates: []gate.Gate{limit}},
				Bench:   spec.Bench{Vs: moduletest.WriteFiles(t, unchangedModule), Procs: []int{1}, BenchTime: time.Millisecond},
				WorkDir: now, Block: 5 * time.Millisecond, Progress: &watcher{}, Out: outIn(t)}
			if c.more != nil {
				c.more(&r)
			}
			result, err := Run(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			var measured []string
			for _, b := range result.Benchmarks {
				measured = append(measured, b.Name)
			}
			slices.Sort(measured)
			if !slices.Equal(measured, c.measured) || len(result.Notes) > 0 && c.name == "one function" {
				t.Errorf("measured %q, want %q; unchanged %+v, notes %+v", measured, c.measured, result.Unchanged,
					result.Notes)
			}
			if len(measured) == 3 == (len(result.Unchanged) > 0) {
				t.Errorf("measured %q, unchanged %+v", measured, result.Unchanged)
			}
			for _, u := range result.Unchanged {
				if len(u.Gates) != 1 || u.Gates[0].Outcome != gate.Passed || u.Gates[0].Reason != benchmarks.SameCode {
					t.Errorf("gates of %s: %+v", u.Name, u.Gates)
				}
			}
		})
	}
}
