package trust

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

var then = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

// A child of the tests records trust in one file after another: see
// TestTwoWritersLoseNothing.
func TestMain(m *testing.M) {
	if store := os.Getenv("TRUST_TEST_STORE"); store != "" {
		for i := range 20 {
			path := filepath.Join(filepath.Dir(store), os.Getenv("TRUST_TEST_NAME")+fmt.Sprint(i))
			if err := At(store).Trust(path, []byte("x"), then); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func newStore(t *testing.T) (store *Store, file string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(dir, "hone.yaml")
	if err := os.WriteFile(file, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	return At(filepath.Join(dir, "config", "hone", "trust.json")), file
}

func trusted(t *testing.T, s *Store, path, content string) bool {
	t.Helper()
	yes, err := s.Trusted(path, []byte(content))
	if err != nil {
		t.Fatal(err)
	}
	return yes
}

func TestTrustIsForOneContentAtOnePath(t *testing.T) {
	s, file := newStore(t)
	if trusted(t, s, file, "content") {
		t.Fatal("trusted before the user said so")
	}
	if err := s.Trust(file, []byte("content"), then); err != nil {
		t.Fatal(err)
	}
	if !trusted(t, s, file, "content") {
		t.Error("not trusted")
	}
	if trusted(t, s, file, "content ") || trusted(t, s, file+".copy", "content") {
		t.Error("another content or another path is trusted")
	}
	link := filepath.Join(filepath.Dir(file), "link.yaml")
	if err := os.Symlink(file, link); err == nil && !trusted(t, s, link, "content") {
		t.Error("a link to the file is the file")
	}
	if err := s.Trust(file, []byte("changed"), then); err != nil {
		t.Fatal(err)
	}
	if trusted(t, s, file, "content") || !trusted(t, s, file, "changed") {
		t.Error("the new content is not the only one trusted")
	}
	entries, err := s.List()
	if err != nil || len(entries) != 1 || entries[0] != (Entry{file, Hash([]byte("changed")), then}) {
		t.Errorf("list %v, %v", entries, err)
	}
}

func TestForgetAlsoWhatIsGone(t *testing.T) {
	s, file := newStore(t)
	if known, err := s.Forget(file); known || err != nil {
		t.Errorf("forgot %v, %v before it was known", known, err)
	}
	if err := s.Trust(file, []byte("content"), then); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if known, err := s.Forget(file); !known || err != nil {
		t.Errorf("forgot %v, %v", known, err)
	}
	if trusted(t, s, file, "content") {
		t.Error("still trusted")
	}
}

func TestNoOtherUserReadsOrWritesTheStore(t *testing.T) {
	s, file := newStore(t)
	if err := s.Trust(file, []byte("content"), then); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{s.path: 0o600, filepath.Dir(s.path): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(s.path), ".trust-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if err := os.Chmod(s.path, 0o666); err != nil {
		t.Fatal(err)
	}
	if yes, err := s.Trusted(file, []byte("content")); yes || fail.ExitCode(err) != int(fail.Storage) {
		t.Errorf("a store that all may write: %v, %v", yes, err)
	}
}

func TestADamagedStoreIsKept(t *testing.T) {
	for name, text := range map[string]string{
		"cut":           `{"schema": "hone.trust/1", "files": [{"path": "/x`,
		"empty":         "",
		"newer":         `{"schema": "hone.trust/2", "files": []}`,
		"no schema":     `{"files": []}`,
		"unknown field": `{"schema": "hone.trust/1", "files": [], "all": true}`,
		"no hash":       `{"schema": "hone.trust/1", "files": [{"path": "/x", "sha256": "00", "since": "2026-11-21T08:00:00Z"}]}`,
		"relative": `{"schema": "hone.trust/1", "files": [{"path": "x", "sha256": "` + Hash(nil) +
			`", "since": "2026-11-21T08:00:00Z"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			s, file := newStore(t)
			if err := errors.Join(os.MkdirAll(filepath.Dir(s.path), 0o700),
				os.WriteFile(s.path, []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
			_, asked := s.Trusted(file, []byte("content"))
			_, listed := s.List()
			_, forgot := s.Forget(file)
			for _, err := range []error{asked, listed, forgot, s.Trust(file, []byte("content"), then)} {
				if fail.ExitCode(err) != int(fail.Storage) || !strings.Contains(fail.HintOf(err), "mv ") {
					t.Errorf("error %v, hint %q", err, fail.HintOf(err))
				}
			}
			if now, err := os.ReadFile(s.path); err != nil || string(now) != text {
				t.Errorf("the store is now %q, %v", now, err)
			}
		})
	}
}

func TestTwoWritersLoseNothing(t *testing.T) {
	s, _ := newStore(t)
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		t.Fatal(err)
	}
	var children []*exec.Cmd
	for _, name := range []string{"a", "b"} {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), "TRUST_TEST_STORE="+s.path, "TRUST_TEST_NAME="+name)
		child.Stderr = os.Stderr
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, child)
	}
	for _, child := range children {
		if err := child.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	if entries, err := s.List(); err != nil || len(entries) != 40 {
		t.Errorf("%d entries of 40, %v", len(entries), err)
	}
}

func TestAStoreThatCannotBeWritten(t *testing.T) {
	s, file := newStore(t)
	if err := os.WriteFile(filepath.Dir(filepath.Dir(s.path)), nil, 0o600); err != nil { // a file where a directory should be
		t.Fatal(err)
	}
	if err := s.Trust(file, nil, then); fail.ExitCode(err) != int(fail.Storage) {
		t.Errorf("error %v", err)
	}
}

func FuzzStore(f *testing.F) {
	f.Add([]byte(`{"schema": "hone.trust/1", "files": [{"path": "/x", "sha256": "` + Hash(nil) +
		`", "since": "2026-11-21T08:00:00Z"}]}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		doc, err := parse(content)
		if err == nil && doc.Schema != Schema {
			t.Errorf("read schema %q", doc.Schema)
		}
	})
}
