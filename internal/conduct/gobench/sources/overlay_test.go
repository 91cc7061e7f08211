package sources

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/testkit/moduletest"
)

// The overlay of the user's flags stays in force, with paths of the directory go is run in.
func TestOverlayKeepsTheUsers(t *testing.T) {
	dir := moduletest.WriteFiles(t, map[string]string{"mine.json": `{"Replace": {"a.go": "other/a.go", "/abs/b.go": ""}}`,
		"bad.json": "{"})
	all, err := usersOverlay(&Side{Dir: dir, Flags: []string{"-race", "-overlay=mine.json"}})
	if err != nil || len(all.Replace) != 2 || all.Replace[filepath.Join(dir, "a.go")] != filepath.Join(dir, "other",
		"a.go") || all.Replace["/abs/b.go"] != "" {
		t.Errorf("%v, %v", all, err)
	}
	for _, flags := range [][]string{{"--overlay=bad.json"}, {"-overlay", "missing.json"}} {
		if _, err := usersOverlay(&Side{Dir: dir, Flags: flags}); err == nil ||
			!strings.Contains(err.Error(), "read overlay") {
			t.Errorf("%v: %v", flags, err)
		}
	}
}
