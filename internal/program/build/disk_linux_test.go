package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/testkit/mounttest"
	"github.com/gohone/hone/internal/text/fail"
)

// A build that fails for want of space is an error of the storage, which names the directory
// that is full; the program is not to blame.
func TestBuildOnFullDisk(t *testing.T) {
	mounttest.Run(t, func(t *testing.T, dir string) {
		mounttest.Tmpfs(t, dir, "size=512k")
		module := t.TempDir()
		for name, text := range map[string]string{
			"go.mod":  "module example.com/full\n\ngo 1.21\n",
			"main.go": "package main\n\nfunc main() { println(\"hello\") }\n",
		} {
			if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("GOFLAGS", "-buildvcs=false")
		build := func(out string) error {
			_, err := Program(t.Context(), Variant{Name: "A", Source: ".", NoInject: true}, Options{
				Source: source.Options{WorkDir: module}, OutDir: out,
			})
			return err
		}
		want := func(err error, words ...string) {
			t.Helper()
			for _, word := range append(words, "no space left on device", "free") {
				if err == nil || !strings.Contains(err.Error(), word) {
					t.Errorf("%v\ndoes not say %q", err, word)
				}
			}
			if fail.ExitCode(err) != int(fail.Storage) {
				t.Errorf("exit code %d, want %d", fail.ExitCode(err), fail.Storage)
			}
		}
		want(build(filepath.Join(dir, "out")), dir, "where ") // the executable does not fit

		fill := make([]byte, 1<<20)
		_ = os.WriteFile(filepath.Join(dir, "fill"), fill, 0o600) // as much as fits
		t.Setenv("GOCACHE", filepath.Join(dir, "cache"))
		err := build(t.TempDir())
		want(err, dir)
		if hint := fail.HintOf(err); !strings.Contains(hint, "GOCACHE") {
			t.Errorf("hint %q, want one that names GOCACHE: %v", hint, err)
		}
	})
}

// Without a go command it is the machine that lacks something, not the request.
func TestBuildWithoutGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	dir := t.TempDir()
	_, err := Program(t.Context(), Variant{Name: "A", Source: "."},
		Options{Source: source.Options{WorkDir: dir}, OutDir: t.TempDir()})
	if fail.ExitCode(err) != int(fail.Environment) || !strings.Contains(fail.HintOf(err), "install Go") {
		t.Errorf("%v (exit code %d), want %d and how to get Go", err, fail.ExitCode(err), fail.Environment)
	}
}
