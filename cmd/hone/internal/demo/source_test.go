package demo

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	module "github.com/gohone/hone"
)

// Outside of a checkout the programs of all tours can be built from the source that hone holds: no package is missing,
// and no file to embed.
func TestDemosWorkWithoutACheckout(t *testing.T) {
	base := t.TempDir()
	root, err := unpack(t.Context(), module.Services, base)
	if err != nil {
		t.Fatal(err)
	}
	for _, tour := range tours {
		dir := filepath.Join(root, filepath.FromSlash(strings.TrimPrefix(tour.program, modulePath+"/")))
		list := exec.Command("go", "list", "-deps", ".")
		list.Dir = dir
		if out, err := list.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", tour.name, err, out)
		}
	}
	tests, err := fs.Glob(os.DirFS(root), "services/*/*_test.go")
	if err != nil || len(tests) > 0 {
		t.Errorf("tests were unpacked: %v, %v", tests, err)
	}
}

// A directory is used again for the same content, and left alone for another.
func TestUnpackedSourcesAreNamedAfterTheirContent(t *testing.T) {
	base := t.TempDir()
	source := fstest.MapFS{"go.mod": {Data: []byte("module a\n")}, "a/a.go": {Data: []byte("package a\n")},
		"a/a_test.go": {Data: []byte("package a\n")}}
	first, err := unpack(t.Context(), source, base)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(first, "mark"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(first+".half/rubbish", 0o700); err != nil { // of a hone that was killed
		t.Fatal(err)
	}
	again, err := unpack(t.Context(), source, base)
	if err != nil || again != first {
		t.Errorf("unpacked to %s, then to %s, %v", first, again, err)
	}
	if _, err := os.Stat(filepath.Join(again, "mark")); err != nil {
		t.Errorf("unpacked once more: %v", err)
	}
	source["a/a.go"] = &fstest.MapFile{Data: []byte("package a // changed\n")}
	other, err := unpack(t.Context(), source, base)
	if err != nil || other == first {
		t.Errorf("the changed source is in %s, too: %v", other, err)
	}
	text, err := os.ReadFile(filepath.Join(other, "a", "a.go"))
	if err != nil || string(text) != "package a // changed\n" {
		t.Errorf("%q, %v", text, err)
	}
}
