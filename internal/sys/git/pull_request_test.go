package git

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/fail/failtest"
)

// A pull request is fetched from a remote, and no ref of the repository changes.
func TestFetchPull(t *testing.T) {
	r, base := patched(t, map[string]string{"a.go": lines})
	_, err := FetchPull(t.Context(), r.Dir, "", "7")
	failtest.Want(t, err, fail.BadInput, "and this repository has none", "git remote add")
	bare := t.TempDir()
	r.Git("init", "-q", "--bare", bare)
	r.Commit(map[string]string{"a.go": strings.Replace(lines, "1", "11", 1)})
	head := r.Git("rev-parse", "HEAD")
	r.Git("push", "-q", bare, "HEAD:refs/pull/7/head", "HEAD:refs/merge-requests/8/head", base+":refs/heads/main")
	fresh := moduletest.NewRepository(t)
	fresh.Git("pull", "-q", bare, "main")
	fresh.Git("remote", "add", "origin", bare)
	refs := fresh.Git("for-each-ref")
	for _, number := range []string{"7", "8"} {
		got, err := FetchPull(t.Context(), fresh.Dir, "", number)
		if err != nil || got != head {
			t.Errorf("#%s: %q, %v, want %s", number, got, err, head)
		}
	}
	if found, err := FindCommit(t.Context(), fresh.Dir, head); found != head {
		t.Errorf("found %q, %v", found, err)
	}
	if got, err := Base(t.Context(), fresh.Dir, base, head); got != base {
		t.Errorf("base %q, %v", got, err)
	}
	if now := fresh.Git("for-each-ref"); now != refs {
		t.Errorf("refs are %s, were %s", now, refs)
	}
	_, err = FetchPull(t.Context(), fresh.Dir, "", "9")
	failtest.Want(t, err, fail.BadInput, "has no pull request #9", "refs/pull/9/head")
	_, err = FetchPull(t.Context(), fresh.Dir, "https://github.com/other/x", "7")
	failtest.Want(t, err, fail.BadInput, "of another repository", "clone")
}

// The page of a pull request is of the remote, by whatever protocol that is.
func TestSameRepository(t *testing.T) {
	for remote, want := range map[string]bool{"git@github.com:Owner/app.git": true, "https://github.com/owner/app": true,
		"ssh://git@github.com/owner/app.git": true, "https://github.com/owner/other": false, "/srv/app": false} {
		if sameRepository("https://github.com/owner/app", remote) != want {
			t.Errorf("%s: not %v", remote, want)
		}
	}
}
