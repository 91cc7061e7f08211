package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/text/fail"
)

// Benchmarks without --vs: the hint names the version that fits the state of the repository.
func TestBenchSaysWhatToCompareWith(t *testing.T) {
	dir := t.TempDir()
	a := &commands{&app.App{Ctx: t.Context(), Stdout: io.Discard, Stderr: io.Discard}}
	git := func(args ...string) {
		t.Helper()
		as := []string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}
		cmd := exec.Command("git", append(as, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	change := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "file"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	commit := func(text string) func() {
		return func() {
			change(text)
			git("add", "-A")
			git("commit", "-qm", text)
		}
	}
	for _, step := range []struct {
		what string
		do   func()
		want string
	}{
		{"no repository", func() {},
			"no commit is here: name the directory of another version: hone bench ./parse --vs ../old"},
		{"one commit", func() { git("init", "-q", "-b", "main"); commit("one")() }, "hone bench ./parse --vs HEAD"},
		{"two commits", commit("two"), "for the last commit: hone bench ./parse --vs HEAD~1"},
		{"a change", func() { change("three") }, "for the changes since the last commit: hone bench ./parse --vs HEAD"},
		{"a branch", func() { git("checkout", "-qb", "topic"); commit("three")(); commit("four")() },
			"for the changes of this branch: hone bench ./parse --vs main"},
	} {
		step.do()
		err := a.nothingToCompare(dir, []string{"./parse"})
		if hint := fail.HintOf(err); !strings.HasSuffix(hint, step.want) || fail.KindOf(err) != fail.BadInput {
			t.Errorf("%s: %v: %q, want %q", step.what, err, hint, step.want)
		}
	}
}
