package service

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/text/fail"
)

// What a program leaves in its checkout is said as soon as another start could find it, and a
// program that does not start there may lack a file.
func TestFilesInACheckout(t *testing.T) {
	root := t.TempDir()
	leave := func(dir, name string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	leave(root, "page.txt")
	b := &build.Binary{Variant: build.Variant{Name: "A", Source: "main:."},
		Checkout: &source.Checkout{Ref: "main", Root: root, Below: "."}}
	place, err := b.Place("/work", "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &service{Side: &lab.Side{Built: lab.Built{Binary: b}}, home: place, runs: 1}
	leave(place.Dir, "seen")
	says := func(want string) {
		t.Helper()
		if got := r.wroteInCheckout(); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("after %d starts: %q, want %q", r.runs, got, want)
		}
	}
	says("")
	r.runs = 2
	says("wrote seen in its checkout")
	leave(place.Dir, "data")
	says("wrote 2 files in its checkout (data and others)")

	err = r.notStarted(fail.New(fail.Subject, "it died"))
	if hint := fail.HintOf(err); err.Error() != "it died" || !strings.Contains(hint, "checkout of main") ||
		!strings.Contains(hint, "--work-dir .") {
		t.Errorf("%v, hint %q", err, hint)
	}
	taken := fail.New(fail.Environment, "no memory")
	if err := r.notStarted(taken); err != error(taken) {
		t.Errorf("%v became %v", taken, err)
	}
	r.home = &build.Place{Dir: root}
	says("")
	if err := r.notStarted(taken); err != error(taken) {
		t.Errorf("in a directory of the user's: %v", err)
	}
}
