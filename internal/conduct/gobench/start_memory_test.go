package gobench

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/testkit/moduletest"
)

// A start that leaves much more memory makes the cycles of the collector longer: benchmarks are measured, also those
// that do not use what the start fills.
func TestAStartThatAllocatesMuchMore(t *testing.T) {
	module := map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"m.go": "package m\n\nvar table []int\n\nfunc init() { table = fill(100) }\n\n//go:noinline\n" +
			"func fill(n int) []int { return make([]int, n) }\n\nfunc Size() int { return len(table) }\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc BenchmarkOther(b *testing.B) {\n\tfor b.Loop() {\n\t}\n}\n",
	}
	for size, want := range map[string]string{"200": "", "100000": "the start allocates"} {
		now := moduletest.WriteFiles(t, module)
		text := strings.Replace(module["m.go"], "fill(100)", "fill("+size+")", 1)
		if err := os.WriteFile(filepath.Join(now, "m.go"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, end := context.WithCancel(t.Context())
		result, _ := Run(ctx, Task{WorkDir: now, Progress: &untilMeasured{end: end},
			Bench: spec.Bench{Vs: moduletest.WriteFiles(t, module), Procs: []int{1}}, Out: outIn(t)})
		end()
		if result == nil {
			t.Fatal("no result")
		}
		notes := ""
		for _, n := range result.Notes {
			notes += n.Text + "\n"
		}
		if (len(result.Unchanged) == 1) != (want == "") || !strings.Contains(notes, want) {
			t.Errorf("fill(%s): not measured %+v; notes %s", size, result.Unchanged, notes)
		}
	}
}
