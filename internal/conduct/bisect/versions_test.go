package bisect

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
)

// proxy is a directory that go takes for a module proxy, with versions of example.com/lib (go.dev/ref/mod, GOPROXY
// protocol).
func proxy(t *testing.T, versions ...string) (env []string) {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "example.com", "lib", "@v")
	write := func(name string, text []byte) {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "list"), []byte(strings.Join(versions, "\n")+"\n"))
	mod := []byte("module example.com/lib\n\ngo 1.24\n")
	for i, v := range versions {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for name, text := range map[string]string{"go.mod": string(mod),
			"lib.go": fmt.Sprintf("package lib\n\nconst Version = %q\n", v)} {
			w, err := z.Create("example.com/lib@" + v + "/" + name)
			if err == nil {
				_, err = w.Write([]byte(text))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		write(filepath.Join(dir, v+".zip"), b.Bytes())
		write(filepath.Join(dir, v+".mod"), mod)
		write(filepath.Join(dir, v+".info"), fmt.Appendf(nil, `{"Version":%q,"Time":"2026-01-%02dT00:00:00Z"}`, v, i+1))
	}
	return append(os.Environ(), "GOPROXY=file://"+root, "GOSUMDB=off", "GOFLAGS=-modcacherw",
		"GOMODCACHE="+filepath.Join(t.TempDir(), "mod"), "GOWORK=off")
}

// user is a repository with a module that requires example.com/lib, in a directory of its own.
func user(t *testing.T) (dir string) {
	t.Helper()
	root := t.TempDir()
	dir = filepath.Join(root, "app")
	for name, text := range map[string]string{
		"app/go.mod":  "module example.com/app\n\ngo 1.24\n\nrequire example.com/lib v1.1.0\n",
		"app/main.go": "package main\n\nimport \"example.com/lib\"\n\nfunc main() { println(lib.Version) }\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "start"}} {
		mustGit(t, root, args...)
	}
	return dir
}

// The versions of a module are a history with a commit for each.
func TestVersionsAreAHistory(t *testing.T) {
	dir, env := user(t), proxy(t, "v1.0.0", "v1.1.0", "v1.2.0", "v1.3.0")
	before := mustGit(t, dir, "status", "--porcelain", "--branch")
	v, err := MakeVersions(t.Context(), dir, env, "example.com/lib", "v1.0.0", "v1.2.0")
	if err != nil {
		t.Fatal(err)
	}
	good, err := git.FindCommit(t.Context(), v.Dir, "v1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	bad, err := git.FindCommit(t.Context(), v.Dir, "v1.2.0")
	if err != nil {
		t.Fatal(err)
	}
	commits, err := git.History(t.Context(), v.Dir, good, bad)
	if err != nil || len(commits) != 2 || commits[0].Subject != "example.com/lib v1.1.0" ||
		commits[0].Date.Format("2006-01-02") != "2026-01-02" {
		t.Errorf("%v: %+v", err, commits)
	}
	text, err := os.ReadFile(filepath.Join(v.Dir, "go.mod"))
	if err != nil || !strings.Contains(string(text), "example.com/lib v1.2.0") {
		t.Errorf("%v: %s", err, text)
	}
	if after := mustGit(t, dir, "status", "--porcelain", "--branch"); !bytes.Equal(before, after) {
		t.Errorf("the user's repository was %q and is %q", before, after)
	}
	again, err := MakeVersions(t.Context(), dir, env, "example.com/lib", "v1.0.0", "v1.2.0")
	if err != nil {
		t.Fatal(err)
	}
	if hash, err := git.FindCommit(t.Context(), again.Dir, "v1.2.0"); err != nil || hash != bad { // so --resume finds its log
		t.Errorf("%v: v1.2.0 is %s, and was %s", err, hash, bad)
	}
	for _, one := range []*Versions{v, again} {
		if err := one.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(v.Dir); err == nil {
		t.Error("the history is still there")
	}
}

func TestVersionsThatAreNotThere(t *testing.T) {
	dir, env := user(t), proxy(t, "v1.0.0", "v1.1.0")
	for name, ends := range map[string][2]string{
		"has no version v1.0.1": {"v1.0.1", "v1.1.0"},
		"has no version v2.0.0": {"v1.0.0", "v2.0.0"},
		"is not newer than":     {"v1.1.0", "v1.0.0"},
	} {
		_, err := MakeVersions(t.Context(), dir, env, "example.com/lib", ends[0], ends[1])
		if fail.KindOf(err) != fail.BadInput || !strings.Contains(err.Error(), name) || fail.HintOf(err) == "" {
			t.Errorf("%v: %v", ends, err)
		}
	}
	if _, err := MakeVersions(t.Context(), dir, env, "example.com/none", "v1.0.0",
		"v1.1.0"); fail.KindOf(err) != fail.BadInput {
		t.Errorf("an unknown module: %v", err)
	}
}
