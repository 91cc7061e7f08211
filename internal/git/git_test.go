package git

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/fail"
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
