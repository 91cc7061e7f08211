package touches

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/testkit/moduletest"
)

// Each kind is seen where it changes, and code that moves or only changes is none.
func TestBetween(t *testing.T) {
	before := map[string]string{
		"go.mod": "module example.com/a\n\ngo 1.24\n", "a.go": "package a\n\nimport _ \"unsafe\"\n\nfunc A() int { return 1 }\n",
		"a_test.go":    "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n\nfunc BenchmarkA(b *testing.B) { A() }\n",
		"b_linux.go":   "package a\n\nfunc B() {}\n",
		"tagged.go":    "//go:build linux\n\npackage a\n",
		"x/asm.s":      "TEXT\n",
		"testdata/one": "1\n",
	}
	for _, c := range []struct {
		name, file, text string // "" removes it
		want             string
	}{
		{"code", "a.go", "package a\n\nimport _ \"unsafe\"\n\nfunc A() int { return 2 }\n", ""},
		{"test", "a_test.go", strings.Replace(before["a_test.go"], "T) {}", "T) { t.Log() }", 1), "tests"},
		{"benchmark", "a_test.go", strings.Replace(before["a_test.go"], "A() }", "A(); A() }", 1), "benchmarks"},
		{"testdata", "testdata/one", "2\n", "testdata"},
		{"go line", "go.mod", "module example.com/a\n\ngo 1.25\n", "toolchain"},
		{"require", "go.mod", before["go.mod"] + "require example.com/b v1.0.0\n", "go.mod"},
		{"sum", "go.sum", "x\n", "go.mod"},
		{"vendored", "vendor/example.com/b/b.go", "package b\n\nimport \"unsafe\"\n", "vendor"},
		{"profile", "default.pgo", "x", "default.pgo"},
		{"tag", "tagged.go", "//go:build darwin\n\npackage a\n", "build-tags"},
		{"new by name", "c_windows.go", "package a\n", "build-tags"},
		{"gone by name", "b_linux.go", "", "build-tags"},
		{"workflow", ".github/workflows/ci.yml", "x\n", "ci"},
		{"owners", ".github/CODEOWNERS", "* @a\n", "codeowners"},
		{"hone.yaml", "hone.yaml", "x\n", "hone.yaml"},
		{"make", "Makefile", "x:\n", "ci"},
		{"linkname", "a.go", before["a.go"] + "\n//go:linkname now time.now\n", "linkname"},
		{"cgo", "c.go", "package a\n\n// #cgo LDFLAGS: -lm\nimport \"C\"\n", "cgo cgo"},
		{"assembly", "x/asm.s", "", "assembly"},
		// that a.go has it, too, does not count: it did not change
		{"unsafe", "c.go", "package a\n\nimport \"unsafe\"\n", "unsafe"},
		{"embed", "c.go", "package a\n\nimport _ \"embed\"\n\n//go:embed x\nvar x string\n", "embed"},
		{"generate", "c.go", "package a\n\n//go:generate echo\n", "generate"},
		{"attributes", ".gitattributes", "* text\n", "git"},
	} {
		r := moduletest.NewRepository(t)
		r.Commit(before)
		a := r.Git("rev-parse", "HEAD")
		if c.text == "" {
			r.Git("rm", "-q", c.file)
			r.Git("commit", "-qm", "gone")
		} else {
			r.Commit(map[string]string{c.file: c.text})
		}
		found, err := Between(t.Context(), r.Dir, a, r.Git("rev-parse", "HEAD"))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var kinds []string
		for _, touch := range found.Touches {
			kinds = append(kinds, string(touch.Kind))
		}
		if got := strings.Join(kinds, " "); got != c.want || !slices.Equal(found.Files, []string{c.file}) {
			t.Errorf("%s: %s of %s, want %s", c.name, got, found.Files, c.want)
		}
		if left := found.Refused([]Kind{Kind(strings.Fields(c.want + " x")[0])}); len(left) > 0 {
			t.Errorf("%s: %v is left", c.name, left)
		}
	}
}

// A file that is renamed keeps what it has: nothing of it is new.
func TestRenamed(t *testing.T) {
	text := "//go:build linux\n\npackage a\n\nimport _ \"unsafe\"\n\n//go:linkname now time.now\n"
	r := moduletest.NewRepository(t)
	r.Commit(map[string]string{"old.go": text})
	r.Git("mv", "old.go", "new.go")
	r.Git("commit", "-qm", "moved")
	found, err := Between(t.Context(), r.Dir, "HEAD~1", "HEAD")
	if err != nil || len(found.Touches) > 0 {
		t.Errorf("%v, %v", fmt.Sprint(found.Touches), err)
	}
}
