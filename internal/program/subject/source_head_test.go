package subject

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// One package alone means HEAD against the working tree, if there is a difference.
func TestAtHead(t *testing.T) {
	r := newRepository(t)
	at := func(workDir, source string) (string, error) {
		words, err := AtHead(t.Context(), source, SourceOptions{WorkDir: filepath.Join(r.dir, workDir)})
		return strings.Join(words, " "), err
	}
	writeFile(t, filepath.Join(r.dir, "cmd/x/main.go"), "package main\n\nfunc main() {}\n")
	_, err := at(".", "./cmd/x")
	wantError(t, err, fail.BadInput, "has no commit yet", "name both sides")
	r.commit(map[string]string{"go.mod": "module example.com/r\n\ngo 1.21\n"})
	_, err = at("cmd", "x")
	wantError(t, err, fail.BadInput, "nothing differs from HEAD", "hone compare 'HEAD~1:./x' x")
	writeFile(t, filepath.Join(r.dir, "lib.go"), "package r\n")
	for _, c := range []struct{ workDir, source, want string }{
		{".", "./cmd/x", "HEAD:./cmd/x"},
		{".", "cmd/x", "HEAD:./cmd/x"},
		{"cmd", "../cmd/x", "HEAD:./x"},
		{"cmd/x", ".", "HEAD:."},
		{"cmd/x", "../../cmd", "HEAD:.."},
		{"cmd", filepath.Join(r.dir, "lib.go"), "HEAD:../lib.go"},
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
	wantError(t, err, fail.BadInput, "in no git repository")
	inner := newRepository(t)
	inner.commit(map[string]string{"main.go": "package main\n"})
	_, err = at(".", inner.dir)
	wantError(t, err, fail.BadInput, "in another repository", "cd "+inner.dir)
}
