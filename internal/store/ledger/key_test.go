package ledger

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// The key stays the same as long as the ledger lives, is another one for every ledger, and is
// for its user alone.
func TestKeyOfALedger(t *testing.T) {
	dir := t.TempDir()
	keyOf := func(dir string) ([]byte, error) {
		t.Helper()
		l, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		key, err := l.Key()
		again, errAgain := l.Key()
		if err == nil && (errAgain != nil || !bytes.Equal(key, again)) {
			t.Errorf("asked again: %x (%v), was %x", again, errAgain, key)
		}
		return key, err
	}
	first, err := keyOf(dir)
	if err != nil || len(first) != keyBytes || bytes.Equal(first, make([]byte, keyBytes)) {
		t.Fatalf("%x (%v)", first, err)
	}
	if second, err := keyOf(dir); err != nil || !bytes.Equal(first, second) {
		t.Errorf("opened again: %x (%v), was %x", second, err, first)
	}
	if other, err := keyOf(t.TempDir()); err != nil || bytes.Equal(first, other) {
		t.Errorf("another ledger: %x (%v)", other, err)
	}
	path := filepath.Join(dir, keyName)
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(path, first[:5], 0o600); err != nil {
		t.Fatal(err)
	}
	if key, err := keyOf(dir); fail.ExitCode(err) != int(fail.Storage) || fail.HintOf(err) == "" {
		t.Errorf("a damaged key: %x, %v", key, err)
	}
	elsewhere := filepath.Join(t.TempDir(), "theirs")
	if err := os.WriteFile(elsewhere, first, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, path); err != nil {
		t.Fatal(err)
	}
	if key, err := keyOf(dir); fail.ExitCode(err) != int(fail.Untrusted) {
		t.Errorf("a link instead of the key: %x, %v", key, err)
	}
}
