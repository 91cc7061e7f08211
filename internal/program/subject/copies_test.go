package subject

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/testkit/leaktest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/fail/failtest"
)

// files writes files below a new directory; a text that begins with -> is a link.
func files(t *testing.T, all map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range all {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if to, link := strings.CutPrefix(text, "->"); link {
			if err := os.Symlink(to, path); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestEachStartHasFreshCopies(t *testing.T) {
	leaktest.None(t)
	from := files(t, map[string]string{"data/a b/rows": "one", "data/current": "->a b/rows", "config": "x",
		"other": "not copied"})
	if err := os.Chmod(filepath.Join(from, "data", "a b"), 0o500); err != nil {
		t.Fatal(err)
	}
	b := server(t, "127.0.0.1:{port}")
	b.Variant.Env = []string{"DATA={dir}"}
	o := StartOptions{Readiness: Readiness{Target: "127.0.0.1:{port}"}, DataDir: t.TempDir(), Dir: from,
		Copy: &Copies{From: from, Paths: []string{"data", "./config"}}}
	seen := map[string]bool{}
	for range 2 {
		p := start(t, b, o)
		dir := tell(t, p, "dir")
		if dir != p.fill.Values[templates.Dir] || dir != tell(t, p, "env DATA") || tell(t, p, "env PWD") != dir ||
			seen[dir] {
			t.Errorf("it runs in %s, and {dir} is %s", dir, p.fill.Values[templates.Dir])
		}
		seen[dir] = true
		for name, want := range map[string]string{"data/a b/rows": "one", "data/current": "one", "config": "x"} {
			path := filepath.Join(dir, name)
			got, err := os.ReadFile(path)
			info, errStat := os.Lstat(path)
			if err != nil || errStat != nil || string(got) != want || !info.Mode().IsRegular() ||
				info.Mode().Perm() != 0o640 {
				t.Errorf("%s: %q, %v, %v", name, got, info, err)
			}
			if err := os.WriteFile(path, []byte("written by the program"), 0o600); err != nil {
				t.Error(err)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "other")); !os.IsNotExist(err) {
			t.Errorf("other: %v", err)
		}
		if _, err := p.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("the copy is left: %v", err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(from, "data/current")); err != nil || string(got) != "one" {
		t.Errorf("the user's file is %q, %v", got, err)
	}
}

func TestWhatIsNotCopied(t *testing.T) {
	secret := files(t, map[string]string{"key": "S3CRET", "sub/x": ""})
	from := files(t, map[string]string{
		"out": "->" + filepath.Join(secret,
			"key"), "up": "->../../../etc/passwd", "dir/sub": "->../real", "real/x": "", "deep/link": "->" + secret,
		"gone": "->nothing",
	})
	if err := syscall.Mkfifo(filepath.Join(from, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, parts := range map[string][]string{
		"../x": {`copy "../x": it does not lie in the directory`, "without .."},
		"/etc": {`copy "/etc": it does not lie`},
		"":     {"it does not lie"},
		"none": {"copy none for a start", "no such file", "copies are taken from " + from},
		"gone": {"no such file"},
		"out":  {"copy out for a start", "path escapes from parent"},
		"up":   {"path escapes from parent"},
		"deep": {"path escapes from parent"},
		"dir":  {"dir/sub is a link to a directory: name that directory itself"},
		"pipe": {"pipe is neither a file nor a directory"},
	} {
		into := t.TempDir()
		failtest.Want(t, (&Copies{From: from, Paths: []string{path}}).make(into), fail.BadInput, parts...)
		if _, err := os.Stat(filepath.Join(into, path, "key")); err == nil {
			t.Errorf("%s: a file from outside was copied", path)
		}
	}
	failtest.Want(t, (&Copies{From: filepath.Join(from, "none"), Paths: []string{"x"}}).make(t.TempDir()),
		fail.BadInput,
		"copy files from")
}

func TestCopiesAreBounded(t *testing.T) {
	from, err := os.OpenRoot(files(t, map[string]string{"d/1": "12345", "d/2": "6", "d/3": ""}))
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	for _, c := range []struct {
		bytes int64
		files int
		part  string
	}{{6, 3, ""}, {5, 3, "there are over 1.07 GB"}, {6, 2, "there are over 100,000 files"}} {
		to, err := os.OpenRoot(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		err = (&copying{from: from, to: to, bytes: c.bytes, files: c.files}).tree("d")
		if c.part == "" && err != nil || c.part != "" && (err == nil || !strings.Contains(err.Error(), c.part)) {
			t.Errorf("%+v: %v", c, err)
		}
		to.Close()
	}
}
