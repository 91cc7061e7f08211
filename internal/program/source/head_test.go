package source

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/fail/failtest"
)

// One package alone means HEAD against the working tree, if there is a difference.
func TestAtHead(t *testing.T) {
	r := moduletest.NewRepository(t)
	at := func(workDir, source string) (string, error) {
		words, err := AtHead(t.Context(), source, Options{WorkDir: filepath.Join(r.Dir, workDir)})
		return strings.Join(words, " "), err
	}
	moduletest.WriteFile(t, filepath.Join(r.Dir, "cmd/x/main.go"), "package main\n\nfunc main() {}\n")
	_, err := at(".", "./cmd/x")
	failtest.Want(t, err, fail.BadInput, "has no commit yet", "name both sides")
	r.Commit(map[string]string{"go.mod": "module example.com/r\n\ngo 1.21\n"})
	_, err = at("cmd", "x")
	failtest.Want(t, err, fail.BadInput, "nothing differs from HEAD", "hone compare 'HEAD~1:./x' x")
	moduletest.WriteFile(t, filepath.Join(r.Dir, "lib.go"), "package r\n")
	for _, c := range []struct{ workDir, source, want string }{
		{".", "./cmd/x", "HEAD:./cmd/x"},
		{".", "cmd/x", "HEAD:./cmd/x"},
		{"cmd", "../cmd/x", "HEAD:./x"},
		{"cmd/x", ".", "HEAD:."},
		{"cmd/x", "../../cmd", "HEAD:.."},
		{"cmd", filepath.Join(r.Dir, "lib.go"), "HEAD:../lib.go"},
		{"cmd/x", "main.go", "HEAD:./main.go"},
		{".", "example.com/r/cmd/x", ""},
		{".", "HEAD:cmd/x", ""},
		{".", "nope.go", ""},
	} {
		if got, err := at(c.workDir, c.source); got != c.want || err != nil {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
	other := t.TempDir()
	_, err = at(".", other)
	failtest.Want(t, err, fail.BadInput, "in no git repository")
	inner := moduletest.NewRepository(t)
	inner.Commit(map[string]string{"main.go": "package main\n"})
	_, err = at(".", inner.Dir)
	failtest.Want(t, err, fail.BadInput, "in another repository", "cd "+inner.Dir)
}
