package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

func TestFindCommit(t *testing.T) {
	dir := newHostile(t).dir
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
	if commit, dirty := CommitOf(t.Context(), dir); commit != head || !dirty {
		t.Errorf("the work tree: %q, %v", commit, dirty)
	}
	if commit, dirty := CommitOf(t.Context(), t.TempDir()); commit != "" || dirty {
		t.Errorf("outside of a repository: %q, %v", commit, dirty)
	}
}

// What hone stores beside the source does not make a tree dirty, in no directory of it.
func TestHonesOwnDirectoryIsNoChange(t *testing.T) {
	h, dir := newHostile(t), filepath.Join(t.TempDir(), "clean")
	commit, _ := CommitOf(t.Context(), h.dir)
	if err := Checkout(t.Context(), h.dir, commit, dir); err != nil {
		t.Fatal(err)
	}
	write := func(name string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
			os.WriteFile(path, []byte("text"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{".hone/bench/a.txt", "cmd/x/.hone/ledger.db"} {
		write(name)
		for _, at := range []string{dir, filepath.Dir(filepath.Join(dir, name))} {
			if _, dirty := CommitOf(t.Context(), at); dirty {
				t.Errorf("with %s, seen from %s: the tree is dirty", name, at)
			}
		}
	}
	write("cmd/x/new.go")
	if _, dirty := CommitOf(t.Context(), dir); !dirty {
		t.Error("a new file: the tree is not dirty")
	}
}

// Settings that the environment has already stay.
func TestSafetyAddsToWhatIsThere(t *testing.T) {
	t.Setenv("GIT_CONFIG_COUNT", "2")
	all := strings.Join(Safety(), " ")
	for _, want := range []string{"GIT_CONFIG_KEY_2=core.hooksPath", "GIT_CONFIG_KEY_3=core.fsmonitor",
		"GIT_CONFIG_COUNT=4"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s in %s", want, all)
		}
	}
}
