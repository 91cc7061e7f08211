// Package moduletest makes Go modules and git repositories for tests.
package moduletest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// WriteFiles writes files below a fresh directory and returns it, free of symbolic links, which macOS has on the way to
// its temporary directory.
func WriteFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		WriteFile(t, filepath.Join(dir, name), text)
	}
	return dir
}

// WriteFile writes a file, and makes the directories on the way to it.
func WriteFile(t *testing.T, path, text string) {
	t.Helper()
	err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o755))
	if err != nil {
		t.Fatal(err)
	}
}

// Repository is a git repository that can have traps: hooks and an fsmonitor that leave a file behind if anything runs
// them.
type Repository struct {
	// Dir is the working tree, Trap the file that the traps write.
	Dir, Trap string
	t         *testing.T
}

// NewRepository makes an empty repository, or skips the test where there is no git. The configuration of the user and
// of the system does not hold in the test.
func NewRepository(t *testing.T) *Repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	r := &Repository{t: t, Dir: WriteFiles(t, nil)}
	r.Trap = filepath.Join(r.Dir, ".git", "sprung")
	r.Git("init", "-q", "-b", "main")
	return r
}

// SetTraps sets the traps.
func (r *Repository) SetTraps() {
	script := "#!/bin/sh\necho \"$0\" >> '" + r.Trap + "'\n"
	for _, hook := range []string{"post-checkout", "post-index-change", "reference-transaction", "fsmonitor"} {
		WriteFile(r.t, filepath.Join(r.Dir, ".git", "hooks", hook), script)
	}
	r.Git("config", "core.fsmonitor", filepath.Join(r.Dir, ".git", "hooks", "fsmonitor"))
}

// Git runs git in the working tree and returns its output without the blanks around it.
func (r *Repository) Git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e@example.com"}, args...)...)
	cmd.Dir = r.Dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Commit writes files, commits all, and returns the commit.
func (r *Repository) Commit(files map[string]string) string {
	r.t.Helper()
	for name, text := range files {
		WriteFile(r.t, filepath.Join(r.Dir, name), text)
	}
	r.Git("add", ".")
	r.Git("commit", "-q", "-m", "change")
	return r.Git("rev-parse", "HEAD")
}
