package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/internal/testkit/mounttest"
	"github.com/gohone/hone/internal/text/fail"
)

// A cache without room is said as such, by whatever command of git meets it.
func TestACacheThatIsFull(t *testing.T) {
	mounttest.Run(t, func(t *testing.T, dir string) {
		r, base := patched(t, map[string]string{"a.go": lines})
		bare := t.TempDir()
		r.Git("init", "-q", "--bare", bare)
		r.Git("push", "-q", bare, base+":refs/heads/main")
		r.Commit(map[string]string{"a.go": lines + strings.Repeat("// a line\n", 100)})
		r.Git("push", "-q", bare, "HEAD:refs/pull/7/head")
		fresh := moduletest.NewRepository(t)
		fresh.Git("pull", "-q", bare, "main")
		fresh.Git("remote", "add", "origin", bare)

		mounttest.Tmpfs(t, dir, "size=64k")
		t.Setenv("XDG_CACHE_HOME", dir)
		if _, err := makeOwnObjects(); err != nil {
			t.Fatal(err)
		}
		_ = os.WriteFile(filepath.Join(dir, "fill"), make([]byte, 1<<20), 0o600) // as much as there is room for
		patch := PatchText{"p.diff", []byte("--- a/a.go\n+++ b/a.go\n" +
			"@@ -1,5 +1,5 @@\n package a\n \n func One() int {\n-\treturn 1\n+\treturn 11\n }\n")}
		_, err := Apply(t.Context(), r.Dir, base, patch)
		_, pull := FetchPull(t.Context(), fresh.Dir, "", "7")
		for _, err := range []error{err, pull} {
			if err == nil || fail.KindOf(err) != fail.Storage || !strings.Contains(fail.HintOf(err), "full") {
				t.Errorf("%v, hint %q", err, fail.HintOf(err))
			}
		}
	})
}
