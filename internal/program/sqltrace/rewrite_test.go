package sqltrace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/testkit/storytest"
)

// copied is a directory with the toolchain's database/sql, after a change of sql.go.
func copied(t *testing.T, change func(string) string) string {
	t.Helper()
	dir := t.TempDir()
	names, err := filepath.Glob(filepath.Join(storytest.GoEnv(t, "GOROOT"), "src", "database", "sql", "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%v %v", names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err == nil && filepath.Base(name) == "sql.go" {
			text = []byte(change(string(text)))
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(name)), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func same(text string) string { return text }

// Only names of functions change in a file of the toolchain, and one struct, so that stacks name the lines that they
// name without hone.
func TestRewriteKeepsLines(t *testing.T) {
	dir := copied(t, same)
	changed, err := Rewrite(dir)
	if err != nil || len(changed) != 2+len(redactFiles) {
		t.Fatalf("%d files, %v", len(changed), err)
	}
	before, err := os.ReadFile(filepath.Join(dir, "sql.go"))
	if err != nil {
		t.Fatal(err)
	}
	old, after, n := strings.Split(string(before), "\n"), strings.Split(changed["sql.go"], "\n"), 0
	if len(old) != len(after) {
		t.Fatalf("%d lines became %d", len(old), len(after))
	}
	for i := range old {
		if old[i] != after[i] {
			n++
			function := strings.HasPrefix(old[i], "func (") && strings.Contains(after[i], ") hone")
			if !function && (old[i] != "type Rows struct {" || after[i] != old[i]+counterField) {
				t.Errorf("line %d: %q became %q", i+1, old[i], after[i])
			}
		}
	}
	if functions, _ := wrapped(); n != len(functions)+1 || n < 10 {
		t.Errorf("%d lines changed, for %d functions and one struct", n, len(functions))
	}
}

// A package in which a function has another type, or is gone, or which has one of the added names, is left as it is.
func TestRewriteLeavesUnknownPackagesAlone(t *testing.T) {
	for what, change := range map[string]func(string) string{
		"another type": func(s string) string {
			return strings.Replace(s, "func (tx *Tx) Commit() error", "func (tx *Tx) Commit() (err error)", 1)
		},
		"another name": func(s string) string {
			return strings.ReplaceAll(s, "nextLocked", "nextUnlocked")
		},
		"another struct": func(s string) string {
			return strings.Replace(s, "type Rows struct {", "type Rows = lines\n\ntype lines struct {", 1)
		},
		"a name that is added": func(s string) string { return s + "\nfunc honeRegion() {}\n" },
		"no Go":                func(s string) string { return s + "\nfunc (\n" },
	} {
		if changed, err := Rewrite(copied(t, change)); err == nil || changed != nil {
			t.Errorf("%s: %d files, %v", what, len(changed), err)
		}
	}
}

// The added file says the words that a reader of traces looks for.
func TestWordsOfTheTrace(t *testing.T) {
	for _, word := range []string{Call, Prepare, Rows, Next, Pool} {
		if !strings.Contains(wrappers, `= "`+word+`"`) {
			t.Errorf("no %q", word)
		}
	}
}
