package build

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// A Go version stands for its newest release on this machine, or else for its first; the name of a release stays.
func TestChooseToolchain(t *testing.T) {
	cache, dir := t.TempDir(), t.TempDir()
	for _, release := range []string{"go1.98.2", "go1.98.10", "go1.98.1", "go1.9.8"} {
		if err := os.MkdirAll(filepath.Join(cache, "golang.org",
			"toolchain@v0.0.1-"+release+"."+runtime.GOOS+"-"+runtime.GOARCH), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/x\n\ngo 1.21\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOMODCACHE", cache)
	t.Setenv("GOPROXY", "off")
	v := Variant{Name: "A", Source: "."}
	for name, want := range map[string]string{"go1.98": "go1.98.10", "go1.97": "go1.97.0", "go1.98.2": "go1.98.2"} { // none of them can be had
		chosen, err := ChooseToolchain(t.Context(), v, dir, name)
		if chosen != want || fail.KindOf(err) != fail.BadInput {
			t.Errorf("%s: %s, %v; want %s", name, chosen, err, want)
		}
	}
	if chosen, err := ChooseToolchain(t.Context(), v, dir, "local"); chosen != "local" || err != nil {
		t.Errorf("local: %s, %v", chosen, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/x\n\ngo 1.97.1\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ChooseToolchain(t.Context(), v, dir, "local"); err == nil || !strings.Contains(err.Error(), "1.97.1") {
		t.Errorf("a go line that is newer: %v", err)
	}
}
