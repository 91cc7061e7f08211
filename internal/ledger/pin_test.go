package ledger

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// SQLite here is C translated to Go against one version of modernc.org/libc.
// Another libc compiles, and may then misread its own structures: silent damage in
// the one package that must not have any. The pair moves together, by hand.
func TestSQLiteAndItsLibcArePinnedTogether(t *testing.T) {
	mod := readGoMod(t)
	for module, want := range map[string]string{"modernc.org/sqlite": "v1.60.1", "modernc.org/libc": "v1.77.1"} {
		m := regexp.MustCompile(`(?m)^\s*(?:require\s+)?` + regexp.QuoteMeta(module) + `\s+(v\S+)`).FindSubmatch(mod)
		if m == nil || string(m[1]) != want {
			t.Errorf("go.mod has %s %q, want %s: modernc.org/sqlite must run with exactly the modernc.org/libc "+
				"that its own go.mod names (it is translated against it). Take both from there, and change this test with them",
				module, m, want)
		}
	}
}

func readGoMod(t *testing.T) []byte {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil {
			return data
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the package")
		}
		dir = filepath.Dir(dir)
	}
}
