package build

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/gocommand/toolchaintest"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/fail/failtest"
	"github.com/gohone/hone/internal/text/shellwords"
)

// One source under two releases of Go in the same comparison: each executable says which
// one built it, and so does the program that runs.
func TestOneProgramUnderTwoToolchains(t *testing.T) {
	const other = "go1.25.5"
	toolchaintest.Need(t, other)
	dir := moduletest.WriteFiles(t, map[string]string{
		"go.mod": "module example.com/both\n\ngo 1.21\n",
		"main.go": "package main\n\nimport (\n\t\"os\"\n\t\"runtime\"\n)\n\nfunc main() { " +
			"os.Stdout.WriteString(runtime.Version()) }\n",
	})
	variants, err := VariantOptions{Toolchain: "A=" + other + ",B=local"}.Apply([]Variant{{Name: "A", Source: "."},
		{Name: "B", Source: "."}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	for i, want := range []string{other, localVersion(t)} {
		b := mustBuild(t, variants[i], dir, out)
		if b.GoVersion != want || !b.Probed {
			t.Errorf("variant %s was built by %s, want %s", b.Variant.Name, b.GoVersion, want)
		}
		said, err := exec.Command(b.Path).Output()
		if err != nil || string(said) != want {
			t.Errorf("variant %s says it is built by %s, want %s: %v", b.Variant.Name, said, want, err)
		}
	}
	if runtime.GOOS != "linux" {
		return
	}
	v := variants[0]
	v.Layout = 1
	if b := mustBuild(t, v, dir, out); b.GoVersion != other {
		t.Errorf("a layout was built by %s, want %s", b.GoVersion, other)
	}
	moduletest.WriteFile(t, filepath.Join(dir, "go.mod"), "module example.com/both\n\ngo 1.25.6\n")
	_, err = Program(t.Context(), variants[0], Options{Source: source.Options{WorkDir: dir}, OutDir: out})
	failtest.Want(t, err, fail.BadInput, "variant A", "requires go >= 1.25.6", "--toolchain auto")
}

func localVersion(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("go", "env", "GOVERSION")
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN=local")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func TestToolchainsThatCannotBeHad(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	dir := moduletest.WriteFiles(t,
		map[string]string{"go.mod": "module example.com/x\n\ngo 1.21\n", "main.go": "package main\n\nfunc main() {}\n"})
	cache := t.TempDir()
	suffix := "." + runtime.GOOS + "-" + runtime.GOARCH
	for _, name := range []string{"toolchain@v0.0.1-go1.9.7" + suffix, "toolchain@v0.0.1-go1.22.3" + suffix,
		"toolchain@v0.0.1-go1.30.0.plan9-arm", "x"} {
		if err := os.MkdirAll(filepath.Join(cache, "golang.org", name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOMODCACHE", cache)
	build := func(v Variant) error {
		v.Name, v.Source = "B", "."
		_, err := Program(t.Context(), v, Options{Source: source.Options{WorkDir: dir}, OutDir: t.TempDir()})
		return err
	}
	failtest.Want(t, build(Variant{Toolchain: "go1.99.0"}), fail.BadInput,
		"variant B: resolve source \".\": get toolchain go1.99.0: go env: exit status 1",
		"toolchain not available", "on this machine: go1.22.3 go1.9.7;", "GOPROXY")
	failtest.Want(t, build(Variant{Toolchain: "nonsense"}), fail.BadInput, `variant B: toolchain "nonsense"`,
		"go1.25.5")
	failtest.Want(t, build(Variant{Toolchain: "local", Env: []string{"GOTOOLCHAIN=go1.25.5"}}), fail.BadInput,
		"local and GOTOOLCHAIN=go1.25.5")

	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Program(cancelled, Variant{Name: "A", Source: ".", Toolchain: "local"},
		Options{Source: source.Options{WorkDir: dir}, OutDir: t.TempDir()})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled build: %v", err)
	}
}

// A go command that takes no notice of GOTOOLCHAIN (any before 1.21, some wrappers):
// the executable tells.
func TestAnotherToolchainThanAskedFor(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the go command in this test is a shell script")
	}
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin := moduletest.WriteFiles(t,
		map[string]string{"go": "#!/bin/sh\nGOTOOLCHAIN=local exec " + shellwords.Quote(real) + " \"$@\"\n"})
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	dir := moduletest.WriteFiles(t,
		map[string]string{"go.mod": "module example.com/x\n\ngo 1.21\n", "main.go": "package main\n\nfunc main() {}\n"})
	_, err = Program(t.Context(), Variant{Name: "A", Source: ".", Toolchain: "go1.99.0"},
		Options{Source: source.Options{WorkDir: dir}, OutDir: t.TempDir()})
	failtest.Want(t, err, fail.Subject, "toolchain go1.99.0 was named, but "+localVersion(t)+" built it",
		"go version in "+dir)
}
