package build

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/testkit/moduletest"
)

// Files are built as go run builds them: those that are named and no others, with the probe,
// whatever their lines //go:build say, and at a git ref too.
func TestBuildOfGoFiles(t *testing.T) {
	r := moduletest.NewRepository(t)
	serve := "//go:build ignore\n\n" + strings.Replace(plainService, `var greeting = "one"`, "", 1)
	r.Commit(map[string]string{
		"go.mod":        "module example.com/loose\n\ngo 1.21\n",
		"cmd/one.go":    "package main\n\nvar greeting = \"old\"\n",
		"cmd/serve.go":  serve,
		"cmd/second.go": "package main\n\nfunc main() {}\n",
	})
	moduletest.WriteFile(t, filepath.Join(r.Dir, "cmd/one.go"), "package main\n\nvar greeting = \"new\"\n")
	out := t.TempDir()
	for i, c := range []struct{ workDir, source, says string }{
		{".", "cmd/serve.go ./cmd/one.go", "new"},
		{"cmd", "one.go serve.go", "new"},
		{"cmd", "HEAD:./one.go serve.go", "old"},
		{"cmd", "HEAD:cmd/one.go ./serve.go", "old"},
		{".", filepath.Join(r.Dir, "cmd/one.go") + " cmd/serve.go", "new"},
	} {
		b := mustBuild(t, Variant{Name: string(rune('A' + i)), Source: c.source}, filepath.Join(r.Dir, c.workDir), out)
		socket := filepath.Join(t.TempDir(), "s")
		_, first := run(t, b.Path, socket)
		if !strings.HasSuffix(first, " "+c.says) {
			t.Errorf("%s: it says %q, want %q", c.source, first, c.says)
		}
		if !b.Probed || b.Module != "example.com/loose" || b.Package != source.FilesPackage ||
			(b.Checkout != nil) != strings.HasPrefix(c.source, "HEAD") {
			t.Errorf("%s: %+v", c.source, b)
		}
		if _, err := probeclient.At(socket).Runtime(t.Context()); err != nil {
			t.Errorf("%s: the probe: %v", c.source, err)
		}
		if want := strings.TrimSuffix(filepath.Base(source.GoFiles(c.source)[0]),
			".go"); filepath.Base(b.Path) != want {
			t.Errorf("%s: the executable is called %s, want %s", c.source, b.Path, want)
		}
	}
}

// The probe's files that need a newer Go are left out of a build that names its files.
func TestProbeFilesFitTheRelease(t *testing.T) {
	s := &source.Source{Dir: t.TempDir(), Targets: []string{"main.go"}, Package: source.FilesPackage}
	for release, want := range map[string]string{
		"go1.24.9": "hone_flight_none.go hone_probe.go", "go1.25.0": "hone_flight.go hone_probe.go",
		"go1.26.8": "hone_flight.go hone_probe.go",
	} {
		if added, err := writeProbe(s, t.TempDir(), release, map[string]string{}); err != nil ||
			strings.Join(added, " ") != want {
			t.Errorf("%s: %q, %v; want %s", release, added, err, want)
		}
	}
}
