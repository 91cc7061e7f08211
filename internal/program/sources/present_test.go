package sources

import (
	"os"
	"path/filepath"
	"testing"
)

// A file is found in the present checkout, under each of its names; one that is gone, foreign, or outside of the root
// is not.
func TestBelow(t *testing.T) {
	dir, commit := checkout(t)
	repo := filepath.Dir(dir)
	f := New(t.Context(), Program{Module: "example.com/server", ModuleDir: "/tmp/gone/server", Own: true,
		Commit: commit}, dir)
	secret := filepath.Join(t.TempDir(), "secret.go")
	write(t, secret, "package secret\n")
	if err := os.Symlink(secret, filepath.Join(dir, "link.go")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"/tmp/gone/server/cmd/app/main.go":   "server/cmd/app/main.go",
		"example.com/server/cmd/app/main.go": "server/cmd/app/main.go",
		"example.com/server/gone.go":         "", "fmt/print.go": "", "example.com/server/go.mod": "",
		"example.com/server/link.go":             "",
		"example.com/server/../../etc/passwd.go": "",
	} {
		if way, ok := f.Below(repo, name); way != want || ok != (want != "") {
			t.Errorf("%s: %q %v, want %q", name, way, ok, want)
		}
	}
	if way, ok := f.Below(t.TempDir(), "example.com/server/cmd/app/main.go"); ok {
		t.Errorf("outside of the root: %q", way)
	}
	built := New(t.Context(), Program{Module: "example.com/server", ModuleDir: dir, Own: true}, t.TempDir())
	if way, _ := built.Below(repo, filepath.Join(dir, "cmd/app/main.go")); way != "server/cmd/app/main.go" {
		t.Errorf("where it was built: %q", way)
	}
}

// Only the commit of a clean build has the text that was built.
func TestPinned(t *testing.T) {
	dir, commit := checkout(t)
	for want, p := range map[bool]Program{true: {Commit: commit}, false: {Commit: commit, Dirty: true}} {
		p.Module, p.Own = "example.com/server", true
		if got := New(t.Context(), p, dir).Pinned(); got != want {
			t.Errorf("%+v: %v", p, got)
		}
	}
	if New(t.Context(), Program{Own: true, Commit: "0123456789"}, dir).Pinned() {
		t.Error("a commit that is not here")
	}
}
