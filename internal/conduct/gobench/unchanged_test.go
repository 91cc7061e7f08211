package gobench

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
			gain, err := gate.ParseOf("time<-1%", measure.OfBenchmarks)
			if err != nil {
				t.Fatal(err)
			}
			r := Task{Test: spec.Test{Count: 1, Gates: []gate.Gate{limit, gain}},
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
				if len(u.Gates) != 2 || u.Gates[0].Outcome != gate.Passed || u.Gates[1].Outcome != gate.Failed ||
					u.Gates[0].Reason != benchmarks.SameCode {
					t.Errorf("gates of %s: %+v", u.Name, u.Gates)
				}
			}
		})
	}
}

// The packages of a module are compared together. A function that two packages use is one function, and it is said which
// benchmarks of which package execute it.
func TestSeveralPackagesAreComparedTogether(t *testing.T) {
	files := map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"m.go":   "package m\n\n//go:noinline\nfunc Rare(n int) int { return n + 1 }\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc BenchmarkOwn(b *testing.B) {\n\tfor i := range b.N {\n" +
			"\t\tif b.N < 0 {\n\t\t\tRare(i)\n\t\t}\n\t}\n}\n",
		"sub/sub.go": "package sub\n\nimport \"example.com/m\"\n\nfunc Twice(n int) int { return 2 * m.Rare(n) }\n",
		"sub/sub_test.go": "package sub\n\nimport \"testing\"\n\nfunc BenchmarkTwice(b *testing.B) {\n\tfor i := range b.N {\n" +
			"\t\tTwice(i)\n\t}\n}\n\nfunc BenchmarkNone(b *testing.B) {\n\tfor range b.N {\n\t}\n}\n",
	}
	old := moduletest.WriteFiles(t, files)
	files["m.go"] = strings.Replace(files["m.go"], "n + 1", "n + 2", 1)
	ctx, end := context.WithCancel(t.Context())
	defer end()
	result, _ := Run(ctx, Task{WorkDir: moduletest.WriteFiles(t, files), Progress: &untilMeasured{end: end},
		Bench: spec.Bench{Vs: old, Packages: []string{"./..."}, Procs: []int{1}}, Out: outIn(t)})
	if result == nil || result.Reach == nil {
		t.Fatalf("no reach: %+v", result)
	}
	var left []string
	for _, u := range result.Unchanged {
		left = append(left, u.Name+": "+u.Reason)
	}
	slices.Sort(left)
	if want := []string{"None: same code", "Own: executes nothing that changed"}; !slices.Equal(left, want) {
		t.Errorf("%q, want %q; notes %+v", left, want, result.Notes)
	}
	if f := result.Reach.Functions; len(f) != 1 && len(f) != 2 || f[0].Name != "m.Rare" ||
		!slices.Equal(f[0].Benchmarks, []string{"sub.Twice"}) {
		t.Errorf("%+v", f)
	}
}
