package ledger

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// A ledger that git tracks came with the checkout: it is neither read nor written, until
// the user has taken it out of the repository.
func TestTrackedLedgerIsRefused(t *testing.T) {
	repository := t.TempDir()
	gitIn(t, repository, "init", "--quiet")
	for _, dir := range []string{filepath.Join(repository, ".hone"), filepath.Join(repository, "deep", "er", ".hone")} {
		l := mustOpen(t, dir) // of the user's own: git ignores it
		mustStore(t, l, "mine")
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		mustRead(t, dir).Close()
		gitIn(t, repository, "add", "--force", filepath.Join(dir, "reserve"), filepath.Join(dir, "lock"))
		before := bytesOf(t, dir)
		for _, open := range []func(string) (*Ledger, error){Open, OpenExisting, OpenReader} {
			_, err := open(dir)
			wantFail(t, err, fail.Untrusted, "carries a .hone directory", "2 file(s)", "lock")
			if hint := fail.HintOf(err); !strings.Contains(hint, "git rm -r --cached") ||
				!strings.Contains(hint, "--ledger") {
				t.Errorf("hint %q", hint)
			}
		}
		wantUnchanged(t, dir, before)
		gitIn(t, repository, "rm", "-r", "--quiet", "--cached", dir)
		mustStore(t, mustOpen(t, dir), "again")
	}
	// A tracked directory that is named like it, and a file beside it, are not in it.
	if err := errors.Join(os.MkdirAll(filepath.Join(repository, "deep", ".hone2"), 0o700),
		os.WriteFile(filepath.Join(repository, "deep", ".hone2", "x"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	gitIn(t, repository, "add", "--force", "deep/.hone2/x")
	if err := CheckOrigin(filepath.Join(repository, ".hone")); err != nil {
		t.Error(err)
	}
}

// git is asked about a ledger in a repository, and about no other; a git that is not there
// or fails keeps no command from its work.
func TestGitIsAskedWithinARepositoryOnly(t *testing.T) {
	dir, bin := usedLedger(t), t.TempDir()
	asked := filepath.Join(bin, "asked")
	script := "#!/bin/sh\n: > " + asked + "\nexit 1\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	mustRead(t, dir).Close()
	if _, err := os.Stat(asked); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("git was asked outside a repository: %v", err)
	}
	if err := os.Mkdir(filepath.Join(filepath.Dir(dir), ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	mustRead(t, dir).Close()
	if _, err := os.Stat(asked); err != nil {
		t.Errorf("git was not asked within one: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	mustRead(t, dir).Close()
}

func gitIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git on this machine")
	}
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
