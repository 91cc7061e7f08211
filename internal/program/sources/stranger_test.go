package sources

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// The document of a run that came from elsewhere says which directory its module was in, which toolchain built it and
// from which commit. Nothing of that makes hone read a file that does not belong to the user's own module.
func TestAStrangersDocumentOpensNothing(t *testing.T) {
	dir, commit := checkout(t) // the user's own: example.com/server, in a directory of a repository
	secret := t.TempDir()
	write(t, filepath.Join(secret, "src", "key.go"), "secret")
	write(t, filepath.Join(filepath.Dir(dir), "other", "key.go"), "secret of another module")
	write(t, filepath.Join(dir, "own.go"), "package server // own")
	key := filepath.Join(secret, "src", "key.go")
	toolchain := ".linux-amd64"
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		toolchain = "." + runtime.GOOS + "-" + runtime.GOARCH
	}
	write(t, filepath.Join(secret, "x"+toolchain, "src", "fmt", "print.go"), "secret")
	for name, p := range map[string]Program{
		"the directory itself": {Module: "example.com/x", ModuleDir: filepath.Join(secret, "src")},
		"of the same module":   {Module: "example.com/server", ModuleDir: filepath.Join(secret, "src")},
		"without a module":     {ModuleDir: filepath.Join(secret, "src")},
		"a slash at its end":   {Module: "example.com/server", ModuleDir: filepath.Join(secret, "src") + "/"},
		"the root":             {Module: "example.com/server", ModuleDir: "/"},
		"the root as a module": {Module: "/", ModuleDir: "/"},
		"a directory above":    {Module: "example.com/server", ModuleDir: dir + "/.."},
		"of a commit":          {Module: "example.com/x", ModuleDir: filepath.Join(secret, "src"), Commit: commit},
		"of a commit, dirty": {Module: "example.com/x", ModuleDir: filepath.Join(secret, "src"), Commit: commit,
			Dirty: true},
		"a commit that is none": {Module: "example.com/server", ModuleDir: filepath.Join(secret, "src"),
			Commit: "--batch-check"},
		"a toolchain": {Module: "example.com/server",
			GoVersion: "x/../../../../../../../../../../.." + secret + "/x"},
	} {
		f := New(t.Context(), p, dir)
		for _, file := range []string{
			key, p.ModuleDir + "/key.go", p.Module + "/key.go", p.Module + "/../other/key.go",
			"example.com/server/" + key,
			"/proc/self/environ", "/etc/passwd", "fmt/print.go", dir + "/../other/key.go",
		} {
			if text, err := f.Source(file); err == nil && strings.Contains(string(text), "secret") ||
				err == nil && file == "/etc/passwd" {
				t.Errorf("%s: %s was read: %.40q", name, file, text)
			}
		}
	}
	// What the user has checked out under that name is shown: it is what the run is said to be of.
	f := New(t.Context(), Program{Module: "example.com/server", ModuleDir: "/build/7", Commit: commit, Dirty: true},
		dir)
	want(t, f, "/build/7/own.go", "own")
	f = New(t.Context(), Program{Module: "example.com/server", ModuleDir: "/build/7", Commit: commit}, dir)
	want(t, f, "/build/7/cmd/app/main.go", "committed")
}

// Of a repository with several modules a stranger's run shows the one of its name: git would find all others, too.
func TestACommitIsReadInOneModule(t *testing.T) {
	dir, commit := checkout(t)
	for _, c := range []struct {
		module, here, file string
		own, found         bool
	}{
		{"example.com/server", dir, "example.com/server/cmd/app/main.go", false, true},
		{"example.com/server", filepath.Join(dir, "cmd"), "example.com/server/cmd/app/main.go", false, true},
		{"example.com/server", filepath.Dir(dir), "example.com/server/cmd/app/main.go", false, false},
		{"example.com/server", filepath.Dir(dir), "example.com/server/cmd/app/main.go", true, true},
		{"example.com/x", dir, "example.com/x/cmd/app/main.go", false, false},
		{"example.com/server", dir, "example.com/server/app/main.go", false, false}, // the end of a path is no path
	} {
		f := New(t.Context(), Program{Module: c.module, Commit: commit, Own: c.own}, c.here)
		if text, err := f.Source(c.file); (err == nil) != c.found {
			t.Errorf("%+v: %.40q, %v", c, text, err)
		}
	}
}

// Also in the user's own module only sources are read, whatever bears the name of one.
func TestOnlySourcesAreRead(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/own\n")
	write(t, filepath.Join(dir, ".env"), "secret")
	write(t, filepath.Join(dir, "id_rsa"), "secret")
	write(t, filepath.Join(dir, "main.go"), "package main")
	for _, name := range extensions {
		write(t, filepath.Join(dir, "a"+name), "source")
	}
	outside := filepath.Join(t.TempDir(), "outside.go")
	write(t, outside, "secret")
	for link, to := range map[string]string{
		"env.go": ".env", "two.go": "env.go", "out.go": outside, "up.go": "../../../../../../../../etc/passwd",
		"proc.go": "/proc/self/environ",
		"same.go": "main.go", "sub": filepath.Dir(outside),
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.go"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "dir.go"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "huge.go"), "")
	if err := os.Truncate(filepath.Join(dir, "huge.go"), maxFile+1); err != nil {
		t.Fatal(err)
	}
	f := New(t.Context(), Program{Module: "example.com/own", ModuleDir: dir, Own: true}, dir)
	for _, name := range []string{".env", "id_rsa", "go.mod", "env.go", "two.go", "out.go", "up.go", "proc.go",
		"sub/outside.go", "pipe.go", "dir.go", "huge.go", ".", "..", "", "x\x00.go"} {
		if text, err := f.Source(dir + "/" + name); err == nil {
			t.Errorf("%s: %.40q", name, text)
		}
	}
	want(t, f, dir+"/same.go", "package main")
	for _, name := range extensions {
		want(t, f, "example.com/own/a"+name, "source")
	}
	proc := New(t.Context(), Program{Module: "example.com/own", ModuleDir: "/proc/self", Own: true}, dir)
	for _, name := range []string{"/proc/self/environ", "/proc/self/maps", "/proc/self/root/etc/passwd"} {
		if text, err := proc.Source(name); err == nil {
			t.Errorf("%s: %.40q", name, text)
		}
	}
}

// A go.mod above the working directory may be a pipe in a repository of others.
func TestAModuleFileThatIsAPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "go.mod"), 0o600); err != nil {
		t.Fatal(err)
	}
	if root, module := moduleAround(dir); root == dir {
		t.Errorf("%s, %s", root, module)
	}
}
