package actions

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// checkout is what actions/checkout leaves of a pull request: GitHub's merge of head into base, without local branches.
type checkout struct {
	dir                string
	base, head, merged string
}

// newCheckout makes an origin with the files of base and, on the branch topic, those of head, and checks the pull
// request out of it, shallow or whole. The branch main has one commit more than topic began at.
func newCheckout(t *testing.T, base, head map[string]string, depth ...string) checkout {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	origin, dir := filepath.Join(t.TempDir(), "origin"), filepath.Join(t.TempDir(), "checkout")
	git(t, "", "init", "-q", "-b", "main", origin)
	git(t, origin, "config", "uploadpack.allowAnySHA1InWant", "true")
	commit := func(message string, files map[string]string) string {
		for name, text := range files {
			path := filepath.Join(origin, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		git(t, origin, "add", "-A")
		git(t, origin, "commit", "-q", "-m", message)
		return git(t, origin, "rev-parse", "HEAD")
	}
	commit("begin", base)
	git(t, origin, "checkout", "-q", "-b", "topic")
	c := checkout{dir: dir, head: commit("the change", head)}
	git(t, origin, "checkout", "-q", "main")
	c.base = commit("another change", map[string]string{"other.txt": "other"})
	git(t, origin, "checkout", "-q", "--detach")
	git(t, origin, "merge", "-q", "-m", "merge topic into main", "topic")
	c.merged = git(t, origin, "rev-parse", "HEAD")
	git(t, origin, "update-ref", "refs/pull/5/merge", c.merged)
	git(t, origin, "checkout", "-q", "main")

	git(t, "", "init", "-q", "-b", "none", dir)
	git(t, dir, "remote", "add", "origin", "file://"+origin)
	fetch := append([]string{"fetch", "-q", "--no-tags"}, depth...)
	git(t, dir, append(fetch, "origin", "+refs/pull/5/merge:refs/remotes/pull/5/merge")...)
	if len(depth) == 0 {
		git(t, dir, "fetch", "-q", "--no-tags", "origin", "+refs/heads/*:refs/remotes/origin/*")
	}
	git(t, dir, "checkout", "-q", "--detach", "refs/remotes/pull/5/merge")
	return c
}

// pullRequest is the event of the pull request.
func (c checkout) pullRequest() map[string]any {
	return map[string]any{"pull_request": map[string]any{
		"number": 5, "base": map[string]any{"ref": "main", "sha": c.base},
		"head": map[string]any{"ref": "topic", "sha": c.head},
	}}
}

// short is the name that the actions give a commit.
func short(commit string) string { return commit[:12] }

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a",
		"GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}
