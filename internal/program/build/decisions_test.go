package build

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gohone/hone/internal/program/decisions"
)

// The compiler prints its decisions about the packages that are named, with the flags of the build.
func TestDecisionsOfABuild(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":     "module example.com/shop\n\ngo 1.23\n",
		"main.go":    "package main\n\nimport \"example.com/shop/lib\"\n\nfunc main() { println(lib.Add(1, 2)) }\n",
		"lib/lib.go": "package lib\n\nfunc Add(a, b int) int { return a + b }\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		flags     []string
		inlinable bool
	}{{nil, true}, {[]string{"-gcflags=example.com/shop/lib=-l"}, false}} {
		b := mustBuild(t, Variant{Name: "A", Source: ".", BuildFlags: test.flags}, dir, t.TempDir())
		all, err := b.Decisions(t.Context(), []string{"main", "example.com/shop/lib"})
		if err != nil {
			t.Fatal(err)
		}
		f, caller := all["lib.Add"], all["main.main"]
		if test.inlinable && (f == nil || caller == nil || !f.Inlinable || len(caller.Inlined) == 0 ||
			caller.Inlined[0].What != "lib.Add") || !test.inlinable && f != nil && f.Inlinable {
			t.Errorf("%v: lib.Add %+v, main.main %+v", test.flags, f, caller)
		}
	}
}

func TestFlagsForDecisions(t *testing.T) {
	got := DecisionFlags([]string{"GOFLAGS=-gcflags=all=-N"}, []string{"-tags=x", "-gcflags", "example.com/a/...=-l", "-gcflags=-B"},
		[]string{"main", "example.com/a/b", "example.com/c"})
	want := []string{"-gcflags=-B " + decisions.Flags, "-gcflags=example.com/a/b=-l " + decisions.Flags,
		"-gcflags=example.com/c=-N " + decisions.Flags}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
