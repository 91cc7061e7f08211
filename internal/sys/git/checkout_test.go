package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

func mustRead(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A checkout has the files of its commit, and the repository does not know of it.
func TestCheckout(t *testing.T) {
	h := newHostile(t)
	commit, err := FindCommit(t.Context(), h.dir, "v1")
	if err != nil {
		t.Fatal(err)
	}
	before := h.git("worktree", "list")
	tree := filepath.Join(t.TempDir(), "a tree")
	if err := Checkout(t.Context(), h.dir, commit, tree); err != nil {
		t.Fatal(err)
	}
	if text := mustRead(t, filepath.Join(tree, "a.txt")); text != "one\n" {
		t.Errorf("a.txt is %q", text)
	}
	if got, dirty := CommitOf(t.Context(), tree); got != commit || dirty {
		t.Errorf("the checkout is at %s, dirty %v", got, dirty)
	}
	if after := h.git("worktree", "list"); after != before {
		t.Errorf("the repository knows of it:\n%s", after)
	}
	if err := Checkout(t.Context(), h.dir, h.missing,
		filepath.Join(t.TempDir(), "x")); fail.ExitCode(err) != int(fail.Environment) {
		t.Errorf("a commit that is missing: %v", err)
	}
	if err := Checkout(t.Context(), t.TempDir(), commit, filepath.Join(t.TempDir(), "x")); err == nil {
		t.Error("a checkout outside of a repository")
	}
}

// In a shallow clone git log, as go build runs it, must not look for the parents.
func TestCheckoutOfAShallowClone(t *testing.T) {
	h := newHostile(t)
	clone := filepath.Join(t.TempDir(), "clone")
	h.git("clone", "-q", "--depth", "1", "file://"+h.dir, clone)
	commit, _ := CommitOf(t.Context(), clone)
	tree := filepath.Join(t.TempDir(), "tree")
	if err := Checkout(t.Context(), clone, commit, tree); err != nil {
		t.Fatal(err)
	}
	if log := h.git("-C", tree, "log", "--format=%H"); log != commit {
		t.Errorf("log: %s", log)
	}
}

// Without an object of a partial clone the error says how to come by the files.
func TestCheckoutOfAPartialClone(t *testing.T) {
	h := newHostile(t)
	clone := filepath.Join(t.TempDir(), "clone")
	h.git("config", "uploadpack.allowFilter", "true")
	h.git("clone", "-q", "--filter=blob:none", "--no-checkout", "file://"+h.dir, clone)
	commit, err := FindCommit(t.Context(), clone, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	err = Checkout(t.Context(), clone, commit, filepath.Join(t.TempDir(), "tree"))
	if fail.ExitCode(err) != int(fail.Environment) || !strings.Contains(fail.HintOf(err), "partial clone") {
		t.Errorf("%v, hint %q", err, fail.HintOf(err))
	}
}

// Files that a filter of the repository would change are as they are stored, and the user is
// told; a filter of the user's own is run.
func TestFilters(t *testing.T) {
	h := newHostile(t)
	h.write(".gitattributes", "a.txt filter=theirs\nb.txt filter=mine\n")
	h.commit("b.txt", "text\n")
	h.git("config", "filter.theirs.smudge", "sed s/^/theirs:/")
	h.git("config", "filter.theirs.required", "true")
	h.git("config", "--global", "filter.mine.smudge", "sed s/^/mine:/")
	h.git("config", "filter.mine.smudge", h.command)
	commit, _ := CommitOf(t.Context(), h.dir)
	tree := filepath.Join(t.TempDir(), "tree")
	if err := Checkout(t.Context(), h.dir, commit, tree); err != nil {
		t.Fatal(err)
	}
	if a, b := mustRead(t, filepath.Join(tree, "a.txt")),
		mustRead(t, filepath.Join(tree, "b.txt")); a != "TWO\n" || b != "mine:text\n" {
		t.Errorf("a.txt is %q, b.txt is %q", a, b)
	}
	note, err := Unfiltered(t.Context(), h.dir, tree)
	if err != nil || !strings.Contains(note, `"theirs" was not run for 1 files ("a.txt")`) ||
		strings.Contains(note, "mine") {
		t.Errorf("note %q, %v", note, err)
	}
}

// Where settings cannot keep git safe, go build must not run it.
func TestStampingSaysWhereItCannotBeSafe(t *testing.T) {
	h := newHostile(t)
	if env, reason := Stamping(t.Context(), h.dir); reason != "" || len(env) == 0 {
		t.Errorf("a plain repository: %q, %v", reason, env)
	}
	if _, reason := Stamping(t.Context(), t.TempDir()); reason != "" {
		t.Errorf("no repository: %q", reason)
	}
	h.write(".gitmodules", "")
	if _, reason := Stamping(t.Context(), h.dir); !strings.Contains(reason, "submodules") {
		t.Errorf("submodules: %q", reason)
	}
	h.partial("https://example.com/")
	if _, reason := Stamping(t.Context(), h.dir); !strings.Contains(reason, "partial clone") {
		t.Errorf("a partial clone: %q", reason)
	}
	t.Setenv("PATH", "")
	if _, reason := Stamping(t.Context(), h.dir); reason != "" {
		t.Errorf("without git: %q", reason)
	}
}
