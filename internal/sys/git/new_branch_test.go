package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// gitIn runs the user's git.
func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=u", "-c", "user.email=u@x",
		"-c", "commit.gpgSign=false"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// madeRepository is a repository with a commit of these files.
func madeRepository(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	gitIn(t, dir, "init", "-q", "-b", "main")
	for name, text := range files {
		writeFile(t, filepath.Join(dir, name), text)
	}
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-q", "-m", "first")
	return dir
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestANewBranchIsAllThatIsMade(t *testing.T) {
	dir := madeRepository(t, map[string]string{"a.go": "one\n", "sub/run.go": "run\n"})
	if err := os.Chmod(filepath.Join(dir, "sub/run.go"), 0o755); err != nil {
		t.Fatal(err)
	}
	gitIn(t, dir, "commit", "-q", "-a", "-m", "second", "--allow-empty")
	gitIn(t, dir, "branch", "hone/fix-x")
	state := func() string {
		index, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
		if err != nil {
			t.Fatal(err)
		}
		return gitIn(t, dir, "rev-parse", "HEAD", "main", "hone/fix-x") + gitIn(t, dir, "status", "--porcelain") + string(index)
	}
	writeFile(t, filepath.Join(dir, "notes.txt"), "not tracked, and no part of a build")
	before := state()
	b, err := OpenNewBranch(t.Context(), filepath.Join(dir, "sub"), "hone/fix-x")
	if err != nil {
		t.Fatal(err)
	}
	if b.Name != "hone/fix-x-2" || strings.Contains(gitIn(t, dir, "branch", "-a"), "fix-x-2") {
		t.Fatalf("the branch %s is there before its first commit, or took a name", b.Name)
	}
	for i, f := range []NewContent{{filepath.Join(dir, "a.go"), []byte("one\n"), []byte("two\n")},
		{filepath.Join(dir, "sub/run.go"), []byte("run\n"), []byte("ran\n")},
		{filepath.Join(dir, "a.go"), []byte("two\n"), []byte("three\n")}} {
		hash, err := b.Commit(t.Context(), []NewContent{f}, "commit "+string(rune('1'+i))+"\n\n# not a comment\n")
		if err != nil || gitIn(t, dir, "rev-parse", b.Name) != hash || b.Tip() != hash {
			t.Fatalf("%s, %v", hash, err)
		}
	}
	if got := gitIn(t, dir, "log", "--format=%s", "main.."+b.Name); got != "commit 3\ncommit 2\ncommit 1" {
		t.Errorf("the branch has\n%s", got)
	}
	if got := gitIn(t, dir, "log", "-1", "--format=%B", b.Name); !strings.Contains(got, "# not a comment") {
		t.Errorf("the message is %q", got)
	}
	if got := gitIn(t, dir, "show", b.Name+":a.go") + gitIn(t, dir, "ls-tree", b.Name, "sub/"); !strings.HasPrefix(got,
		"three100755") {
		t.Errorf("the files are %s", got)
	}
	if after := state(); after != before {
		t.Errorf("the repository was\n%q\nand is\n%q", before, after)
	}
	stale := NewContent{filepath.Join(dir, "a.go"), []byte("one\n"), []byte("four\n")}
	if _, err := b.Commit(t.Context(), []NewContent{stale}, "stale"); fail.KindOf(err) != fail.BadInput {
		t.Errorf("a file of another content is committed: %v", err)
	}
	gitIn(t, dir, "branch", "-f", b.Name, "main")
	moved := NewContent{filepath.Join(dir, "a.go"), []byte("three\n"), []byte("four\n")}
	if _, err := b.Commit(t.Context(), []NewContent{moved}, "moved"); err == nil {
		t.Error("a branch that somebody moved is overwritten")
	}
}

func TestANewBranchIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		make func(dir string)
		want string
	}{
		"a change":     {func(dir string) { writeFile(t, filepath.Join(dir, "a.go"), "other\n") }, `"a.go" is not as`},
		"a new file":   {func(dir string) { writeFile(t, filepath.Join(dir, "sub/b.go"), "b\n") }, `"sub/b.go" is not as`},
		"staged":       {func(dir string) { gitIn(t, dir, "rm", "-q", "--cached", "a.go") }, `"a.go" is not as`},
		"name taken":   {func(dir string) { gitIn(t, dir, "branch", "hone") }, "beside the branch hone"},
		"no commit":    {func(dir string) { gitIn(t, dir, "update-ref", "-d", "HEAD") }, "is in none"},
		"no such tree": {func(dir string) { gitIn(t, dir, "config", "core.bare", "true") }, ""},
	} {
		dir := madeRepository(t, map[string]string{"a.go": "one\n"})
		c.make(dir)
		if b, err := OpenNewBranch(t.Context(), dir, "hone/fix-x"); err == nil || !strings.Contains(err.Error(), c.want) ||
			c.want != "" && fail.HintOf(err) == "" {
			t.Errorf("%s: %+v, %v; want %q", name, b, err, c.want)
		}
	}
}
