package sources

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// checkout makes a repository with a module in a directory of it and one commit.
func checkout(t *testing.T) (dir, commit string) {
	t.Helper()
	repo := t.TempDir()
	dir = filepath.Join(repo, "server")
	write(t, filepath.Join(dir, "go.mod"), "module example.com/server\n")
	write(t, filepath.Join(dir, "cmd", "app", "main.go"), "package main // committed\n")
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		cmd.Dir = repo
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "one")
	return dir, git("rev-parse", "HEAD")
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func want(t *testing.T, f *Finder, name, text string) {
	t.Helper()
	got, err := f.Source(name)
	if err != nil || !strings.Contains(string(got), text) {
		t.Errorf("%s: %.60q, %v; want %q", name, got, err, text)
	}
}

// The commit that was measured, though the file was changed since; under the path of a
// work tree that is gone, and as -trimpath writes it.
func TestSourceOfTheCommit(t *testing.T) {
	dir, commit := checkout(t)
	write(t, filepath.Join(dir, "cmd", "app", "main.go"), "package main // changed since\n")
	p := Program{Module: "example.com/server", ModuleDir: "/tmp/gone/server", Own: true, Commit: commit}
	f := New(t.Context(), p, dir)
	want(t, f, "/tmp/gone/server/cmd/app/main.go", "committed")
	want(t, f, "example.com/server/cmd/app/main.go", "committed")
	p.Dirty = true
	want(t, New(t.Context(), p, dir), "example.com/server/cmd/app/main.go", "changed since")
}

// A checkout that was moved is found by its go.mod.
func TestSourceOfAMovedCheckout(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/moved // here\n")
	write(t, filepath.Join(dir, "a.go"), "package moved\n")
	f := New(t.Context(), Program{Module: "example.com/moved", ModuleDir: "/somewhere/else"}, dir)
	want(t, f, "/somewhere/else/a.go", "package moved")
}

func TestSourceOfTheStandardLibrary(t *testing.T) {
	f := New(t.Context(), Program{GoVersion: runtime.Version()}, ".")
	want(t, f, "fmt/print.go", "func Println")
	want(t, f, "/usr/lib/another/go/src/fmt/print.go", "func Println")
	f = New(t.Context(), Program{GoVersion: "go1.2.3"}, ".")
	if _, err := f.Source("fmt/print.go"); err == nil || !strings.Contains(err.Error(), "GOTOOLCHAIN=go1.2.3") {
		t.Errorf("a toolchain that is not here: %v", err)
	}
}

func TestSourceOfADependency(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Path}}@{{.Version}} {{.Dir}}",
		"github.com/google/pprof").Output()
	if err != nil {
		t.Fatal(err)
	}
	module, dir, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	f := New(t.Context(), Program{}, ".")
	want(t, f, module+"/profile/profile.go", "package profile")
	want(t, f, filepath.Join(dir, "profile", "profile.go"), "package profile")
	want(t, f, "/home/other/go/pkg/mod/"+module+"/profile/profile.go", "package profile")
}

// A dependency that stands in ./vendor is found there: in the commit, in the work tree if git leaves vendor out, and
// only of the version that was built.
func TestSourceOfAVendoredDependency(t *testing.T) {
	dir, commit := checkout(t)
	write(t, filepath.Join(dir, "vendor", "modules.txt"),
		"# example.com/Dep v1.0.0\n## explicit; go 1.21\nexample.com/Dep\n"+
			"# example.com/old v1.1.0 => example.com/fork v1.2.0\nexample.com/old\n")
	write(t, filepath.Join(dir, "vendor", "example.com", "Dep", "d.go"), "package dep")
	write(t, filepath.Join(dir, "vendor", "example.com", "old", "o.go"), "package old")
	for _, p := range []Program{
		{Module: "example.com/server", ModuleDir: dir, Own: true},
		{Module: "example.com/server", ModuleDir: dir, Own: true, Commit: commit}, // git does not have vendor
		{Module: "example.com/server", ModuleDir: "/home/other/server"},
	} {
		f := New(t.Context(), p, dir)
		for _, name := range []string{
			"example.com/Dep@v1.0.0/d.go", "/home/other/go/pkg/mod/example.com/!dep@v1.0.0/d.go",
			p.ModuleDir + "/vendor/example.com/Dep/d.go",
		} {
			want(t, f, name, "package dep")
		}
		want(t, f, "example.com/old@v1.1.0/o.go", "package old")
		want(t, f, "example.com/fork@v1.2.0/o.go", "package old")
		if _, err := f.Source("example.com/Dep@v1.0.1/d.go"); err == nil ||
			!strings.Contains(err.Error(), "./vendor has version v1.0.0") {
			t.Errorf("another version: %v", err)
		}
		if text, err := f.Source("example.com/Dep@v1.0.0/../../../../go.mod"); err == nil {
			t.Errorf("outside of vendor: %.40q", text)
		}
	}
}

func TestEscape(t *testing.T) {
	if got := escape("github.com/BurntSushi/toml"); got != "github.com/!burnt!sushi/toml" ||
		unescape(got) != "github.com/BurntSushi/toml" {
		t.Error(got)
	}
}

// A profile may name any file; only sources are read.
func TestNothingElseIsRead(t *testing.T) {
	dir, _ := checkout(t)
	secret := filepath.Join(t.TempDir(), "secret.go")
	write(t, secret, "secret")
	if err := os.Symlink(secret, filepath.Join(dir, "link.go")); err != nil {
		t.Fatal(err)
	}
	f := New(t.Context(), Program{Module: "example.com/server", ModuleDir: dir, Own: true}, dir)
	for _, name := range []string{
		"/etc/passwd", secret, filepath.Join(dir, "..", "..", "etc", "passwd"), dir + "/../../../../etc/passwd",
		"example.com/server/../../etc/passwd", dir + "/link.go", "/x/pkg/mod/../../../etc/passwd@v1",
		"/src/../etc/passwd", "",
		"/pkg/mod/a@v1/../../../../../../etc/passwd",
	} {
		if text, err := f.Source(name); err == nil {
			t.Errorf("%s: %.40q", name, text)
		}
	}
}

// A profile that is a file says only how functions and their files are called. The module of
// the working directory is that program's if its packages are.
func TestGuess(t *testing.T) {
	dir, commit := checkout(t)
	write(t, filepath.Join(dir, "cart", "cart.go"), "package cart // here\n")
	work := filepath.Join(dir, "cart")
	secret := t.TempDir()
	write(t, filepath.Join(secret, "passwd.go"), "secret")
	for name, c := range map[string]struct {
		functions    map[string]string
		file, source string
	}{
		"built here": {map[string]string{"example.com/server/cart.Add": filepath.Join(dir, "cart", "cart.go")},
			filepath.Join(dir, "cart", "cart.go"), "here"},
		"built elsewhere": {
			map[string]string{"example.com/server/cart.(*Cart).Add": "/build/7/cart/cart.go",
				"main.main": "/build/7/cmd/app/main.go"},
			"/build/7/cmd/app/main.go", "committed",
		},
		"only package main": {map[string]string{"main.main": "/build/7/cmd/app/main.go"}, "/build/7/cmd/app/main.go",
			"committed"},
		"trimmed": {map[string]string{"example.com/server/cart.Add": "example.com/server/cart/cart.go"},
			"example.com/server/cart/cart.go", "here"},
		"another program": {map[string]string{"example.com/other.Add": "/build/7/cart/cart.go"},
			"/build/7/cart/cart.go", ""},
		"a lie": {map[string]string{"example.com/server.F": filepath.Join(secret, "passwd.go")},
			filepath.Join(secret, "passwd.go"), ""},
	} {
		p, root, ok := Guess(work, c.functions)
		if ok && root != dir {
			t.Errorf("%s: in %s, want %s", name, root, dir)
		}
		text, err := New(t.Context(), p, work).Source(c.file)
		if (err == nil) != (c.source != "") || !strings.Contains(string(text), c.source) {
			t.Errorf("%s: %.60q, %v; want %q", name, text, err, c.source)
		}
	}
	// Of a benchmark's run the commit is known.
	write(t, filepath.Join(dir, "cmd", "app", "main.go"), "package main // changed since\n")
	p, _, _ := Guess(work, map[string]string{"main.main": "/build/7/cmd/app/main.go"})
	p.Commit = commit
	want(t, New(t.Context(), p, work), "/build/7/cmd/app/main.go", "committed")
	if _, _, ok := Guess(t.TempDir(), map[string]string{"main.main": "/x/main.go"}); ok {
		t.Error("a directory without a module has none")
	}
}
