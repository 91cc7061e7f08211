package gobench

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench/resultfiles"
	"github.com/gohone/hone/internal/spec"
)

// A module that hone did not write, from the module cache: copies of it are built and
// measured as they are, but that one has a benchmark more.
func TestAForeignModule(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "pgregory.net/rapid").Output()
	source := strings.TrimSpace(string(out))
	if err != nil || source == "" {
		t.Skip("pgregory.net/rapid is not in the module cache")
	}
	copyOf := func() string {
		dir := filepath.Join(t.TempDir(), "rapid")
		if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	old, now := copyOf(), copyOf()
	more := "package rapid\n\nimport \"testing\"\n\nfunc BenchmarkNewHere(b *testing.B) {}\n"
	if err := os.WriteFile(filepath.Join(now, "more_test.go"), []byte(more), 0o600); err != nil {
		t.Fatal(err)
	}
	r := Task{Test: spec.Test{Count: 3}, Bench: spec.Bench{Vs: old, Pattern: "JsfRand|DrawBits1$|NewHere", All: true,
		BenchTime: 3 * time.Millisecond}, WorkDir: now, Out: outIn(t), Progress: &watcher{}}
	r.Options.Env = []string{"GOFLAGS="}
	result, err := Run(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Benchmarks) != 2 || len(result.OneSided) != 1 || result.OneSided[0].Side != "B" {
		t.Fatalf("measured %+v, only on one side %+v", result.Benchmarks, result.OneSided)
	}
	tables, err := resultfiles.Compare(t.Context(), resultfiles.Task{Paths: r.Out[:]})
	if err != nil || len(tables.Warnings) > 0 {
		t.Fatalf("files: %v, %q", err, tables.Warnings)
	}
	for _, b := range result.Benchmarks {
		if b.Rounds != 3 {
			t.Errorf("%s took part in %d rounds, want 3", b.Name, b.Rounds)
		}
	}
}
