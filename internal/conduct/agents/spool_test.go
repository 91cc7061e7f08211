package agents

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// What agents record is kept in the ledger's directory, and a link there leads it nowhere else.
func TestRecordingsStayInTheLedger(t *testing.T) {
	t.Parallel()
	for name, trap := range map[string]func(ledger, outside string) error{
		"the ledger": func(ledger, outside string) error { return os.Symlink(outside, ledger) },
		"agents": func(ledger, outside string) error {
			return errors.Join(os.Mkdir(ledger, 0o700), os.Symlink(outside, filepath.Join(ledger, "agents")))
		},
		"the run": func(ledger, outside string) error {
			return errors.Join(os.MkdirAll(filepath.Join(ledger, "agents"), 0o700),
				os.Symlink(outside, filepath.Join(ledger, "agents", "run")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			ledger, outside := filepath.Join(dir, "ledger"), filepath.Join(dir, "outside")
			if err := errors.Join(os.Mkdir(outside, 0o700), trap(ledger, outside)); err != nil {
				t.Fatal(err)
			}
			if s, err := MakeSpool(ledger, "run"); fail.KindOf(err) != fail.Untrusted {
				t.Errorf("%v, %v", s, err)
			}
			if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
				t.Errorf("written outside: %v, %v", left, err)
			}
		})
	}
	ledger := filepath.Join(t.TempDir(), "ledger")
	s, err := MakeSpool(ledger, "run")
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "victim")
	if err := errors.Join(os.WriteFile(outside, []byte("mine"), 0o600),
		os.Symlink(outside, filepath.Join(s.Path(), "a.jsonl"))); err != nil {
		t.Fatal(err)
	}
	if err := s.Keep("a", 0, []byte("yours")); err == nil {
		t.Error("a recording was written through a link")
	}
	if text, err := os.ReadFile(outside); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
	if err := s.Keep("b", 0, []byte("no recording\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read("b"); fail.KindOf(err) != fail.BadInput {
		t.Error(err)
	}
	if _, err := MakeSpool(ledger, "run"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a run of this name has a directory: %v", err)
	}
	s.Close()
	if err := s.Discard(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Join(ledger, "agents")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}
