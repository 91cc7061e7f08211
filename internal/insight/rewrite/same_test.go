package rewrite

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var ruleMark = regexp.MustCompile(`// rewrite ([a-z-]+)$`)

// Functions and what the rewrites make of them, each on top of those before, answer the same for random arguments. The
// test data has a function for each mark, and asks for them by testing/quick.
func TestRewritesAnswerTheSame(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/same.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	source := ""
	for _, f := range archive.Files {
		write(f.Name, string(f.Data))
		if f.Name == "before/before.go" {
			source = string(f.Data)
		}
	}
	var on *Change
	rewrites := 0
	for i, line := range strings.Split(source, "\n") {
		m := ruleMark.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		change, err := For(m[1]).Apply(t.Context(), Options{Module: dir, On: on}, Place{File: "before/before.go", Line: i + 1})
		if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		on = change
		rewrites++
	}
	after := on.Overlay()[filepath.Join(dir, "before", "before.go")]
	write("after/after.go", strings.Replace(after, "package before", "package after", 1))
	cmd := exec.CommandContext(t.Context(), "go", "test", "./same")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, after)
	}
	t.Logf("%d rewrites", rewrites)
}
