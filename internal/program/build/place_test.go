package build

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/fail/failtest"
)

// A program at a git ref runs in a copy of its checkout, where the user's own directory would
// be; what it writes there does not reach the checkout, and can be told.
func TestPlaceOfARef(t *testing.T) {
	r := moduletest.NewRepository(t)
	r.Commit(map[string]string{"go.mod": "module example.com/r\n\ngo 1.21\n", "web/page.tmpl": "old",
		"web/gone.txt":  "x",
		"cmd/x/main.go": "package main\n\nfunc main() {}\n", "cmd/x/run.sh": "#!/bin/sh\n"})
	if err := os.Symlink("page.tmpl", filepath.Join(r.Dir, "web/link")); err != nil {
		t.Fatal(err)
	}
	r.Commit(nil)
	moduletest.WriteFile(t, filepath.Join(r.Dir, "web/page.tmpl"), "new")
	moduletest.WriteFile(t, filepath.Join(r.Dir, "fresh/x"), "")
	out, web := t.TempDir(), filepath.Join(r.Dir, "web")
	b := mustBuild(t, Variant{Name: "A", Source: "HEAD:cmd/x"}, web, out)
	p, err := b.Place(web, "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"page.tmpl": "old", "link": "old", "../cmd/x/run.sh": "#!/bin/sh\n"} {
		if text, err := os.ReadFile(filepath.Join(p.Dir, name)); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v; want %q", name, text, err, want)
		}
	}
	if info, err := os.Stat(filepath.Join(p.Root, "cmd/x/run.sh")); err != nil || info.Mode()&0o100 == 0 {
		t.Errorf("an executable file lost its mode: %v, %v", info, err)
	}
	if names := p.Written(); names != nil {
		t.Errorf("nothing was written yet, but %q", names)
	}
	moduletest.WriteFile(t, filepath.Join(p.Dir, "page.tmpl"), "written over")
	moduletest.WriteFile(t, filepath.Join(p.Dir, "data/new.db"), "")
	if err := os.Remove(filepath.Join(p.Dir, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	if names := p.Written(); !slices.Equal(names, []string{"web/data/new.db", "web/gone.txt", "web/page.tmpl"}) {
		t.Errorf("written: %q", names)
	}
	changes, err := git.Run(t.Context(), b.Checkout.Root, "status", "--porcelain", "--ignored", "--untracked-files=all")
	if err != nil || changes != "" {
		t.Errorf("the checkout was written to: %q, %v", changes, err)
	}

	mine := mustBuild(t, Variant{Name: "B", Source: "./cmd/x"}, r.Dir, out)
	for named, want := range map[string]string{"": r.Dir, out: out} {
		if p, err := mine.Place(r.Dir, named, out); err != nil || p.Dir != want || p.Written() != nil {
			t.Errorf("files of the user's, %q: %+v, %v", named, p, err)
		}
	}
	if p, err := b.Place(web, out, out); err != nil || p.Dir != out || p.Root != "" {
		t.Errorf("a directory that is named: %+v, %v", p, err)
	}
	b = mustBuild(t, Variant{Name: "A", Source: "HEAD:cmd/x"}, filepath.Join(r.Dir, "fresh"), out)
	_, err = b.Place(filepath.Join(r.Dir, "fresh"), "", t.TempDir())
	failtest.Want(t, err, fail.BadInput, `there is no directory "fresh"`, "--work-dir")
}

func TestFindDir(t *testing.T) {
	dir := moduletest.WriteFiles(t, map[string]string{"data/file": ""})
	for named, want := range map[string]string{"": "", "data": filepath.Join(dir, "data"),
		filepath.Join(dir, "data"): filepath.Join(dir, "data"), ".": dir} {
		if got, err := FindDir(dir, named); got != want || err != nil {
			t.Errorf("%q: %q, %v", named, got, err)
		}
	}
	for named, says := range map[string]string{"data/file": "is not a directory", "nowhere": "there is no directory"} {
		_, err := FindDir(dir, named)
		failtest.Want(t, err, fail.BadInput, says)
	}
}
