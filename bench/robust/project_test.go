package robust

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// The project builds, and a worktree that is left in it is counted.
func TestProject(t *testing.T) {
	r := &rig{dir: t.TempDir()}
	p, err := r.ensureProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "vet", "./...")
	build.Dir = p.dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("vet project: %v\n%s", err, out)
	}
	want := func(n int) {
		t.Helper()
		if got, err := worktrees(t.Context(), p.dir); err != nil || got != n {
			t.Errorf("%d worktrees, want %d: %v", got, n, err)
		}
	}
	want(0)
	if _, err := git(t.Context(), p.dir, "worktree", "add", "--quiet", filepath.Join(r.dir, "left"),
		"HEAD~1"); err != nil {
		t.Fatal(err)
	}
	want(1)
	if again, err := r.ensureProject(t.Context()); err != nil || again != p {
		t.Errorf("a second project: %v", err)
	}
}
