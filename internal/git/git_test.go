package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/fail"
)

// trap is a repository with one commit and a changed file, whose configuration names a
// monitor and hooks that leave a file behind.
func trap(t *testing.T) (dir, sprung string) {
	t.Helper()
	dir, sprung = t.TempDir(), filepath.Join(t.TempDir(), "sprung")
	plain := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain("init", "-q", "-b", "main", ".")
	write("a.txt", "one\n", 0o600)
	plain("add", ".")
	plain("commit", "-qm", "one")
	plain("tag", "v1")
	write("a.txt", "two\n", 0o600)
	script := "#!/bin/sh\ntouch " + sprung + "\n"
	plain("config", "core.fsmonitor", write(".git/monitor", script, 0o700))
	write(".git/hooks/post-checkout", script, 0o700)
	return dir, sprung
}

func TestNothingOfTheRepositoryRuns(t *testing.T) {
	dir, sprung := trap(t)
	commit, dirty := CommitOf(t.Context(), dir)
	if len(commit) < 40 || !dirty {
		t.Errorf("commit %q, dirty %v", commit, dirty)
	}
	if _, err := Run(t.Context(), dir, "worktree", "add", "--detach", filepath.Join(t.TempDir(), "tree"), "v1"); err != nil {
		t.Error(err)
	}
	other := exec.Command("git", "status", "--porcelain") // as go build runs it
	other.Dir, other.Env = dir, append(os.Environ(), Safety()...)
	if out, err := other.CombinedOutput(); err != nil || !strings.Contains(string(out), "a.txt") {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := os.Stat(sprung); err == nil {
		t.Fatal("a program of the repository was run")
	}
	// The trap works: plain git falls into it.
	plain := exec.Command("git", "status")
	plain.Dir = dir
	if out, err := plain.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := os.Stat(sprung); err != nil {
		t.Error("the trap does not work")
	}
}

func TestFindCommit(t *testing.T) {
	dir, _ := trap(t)
	head, err := FindCommit(t.Context(), dir, "main")
	if err != nil || len(head) < 40 {
		t.Errorf("%q, %v", head, err)
	}
	for _, ref := range []string{"v9", "", "--all"} {
		_, err := FindCommit(t.Context(), dir, ref)
		if fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(fail.HintOf(err), "v1") {
			t.Errorf("%q: %v, hint %q", ref, err, fail.HintOf(err))
		}
	}
	if commit, dirty := CommitOf(t.Context(), t.TempDir()); commit != "" || dirty {
		t.Errorf("outside of a repository: %q, %v", commit, dirty)
	}
}

// Settings that the environment has already stay.
func TestSafetyAddsToWhatIsThere(t *testing.T) {
	t.Setenv("GIT_CONFIG_COUNT", "2")
	all := strings.Join(Safety(), " ")
	for _, want := range []string{"GIT_CONFIG_KEY_2=core.hooksPath", "GIT_CONFIG_KEY_3=core.fsmonitor", "GIT_CONFIG_COUNT=4"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s in %s", want, all)
		}
	}
}
