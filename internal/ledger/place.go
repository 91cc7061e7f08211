package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/fail"
)

func databasePath(dir string) string { return filepath.Join(dir, "ledger.db") }

// ensureDir makes dir, or makes sure that it is a directory that can be written:
// a run of ten minutes must not end with the news that it could not be stored.
func ensureDir(dir string) error {
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return storage(dir, err, "create ledger %s", dir)
		}
		return nil
	case err != nil:
		return storage(dir, err, "open ledger %s", dir)
	case !info.IsDir():
		return notADirectory(dir)
	}
	if err := writable(dir); err != nil {
		return storage(dir, &fs.PathError{Op: "write", Path: dir, Err: err}, "open ledger %s", dir)
	}
	return nil
}

func notADirectory(dir string) error {
	return fail.New(fail.Storage, "open ledger: %s is a file, and the ledger needs a directory of that name", dir).
		WithHint("move that file away, or choose another directory for the ledger")
}

// layOut makes the directories and empties tmp, where only a crash leaves files.
func layOut(dir string) error {
	wrap := func(err error) error { return storage(dir, err, "lay out ledger %s", dir) }
	for _, d := range []string{dir, filepath.Join(dir, "blobs"), filepath.Join(dir, "tmp")} {
		if err := os.Mkdir(d, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return wrap(err)
		}
	}
	left, err := os.ReadDir(filepath.Join(dir, "tmp"))
	if err != nil {
		return wrap(err)
	}
	for _, e := range left {
		if err := os.RemoveAll(filepath.Join(dir, "tmp", e.Name())); err != nil {
			return wrap(err)
		}
	}
	// hone records whether the work tree was clean: its own files must not count.
	ignore := filepath.Join(dir, ".gitignore")
	if _, err := os.Lstat(ignore); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(ignore, []byte("*\n"), 0o600); err != nil {
			return wrap(err)
		}
	}
	return nil
}

// checkRemains refuses to start afresh beside the remains of a lost database: a new
// one would replay the old log, and the blobs would lose their last witness.
func checkRemains(dir string) error {
	found := ""
	if hasContent(databasePath(dir) + "-wal") {
		found = "ledger.db-wal"
	}
	subs, err := os.ReadDir(filepath.Join(dir, "blobs"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return storage(dir, err, "open ledger %s", dir)
	}
	for _, s := range subs {
		files, _ := os.ReadDir(filepath.Join(dir, "blobs", s.Name()))
		if len(files) > 0 {
			found = filepath.Join("blobs", s.Name())
			break
		}
	}
	if found == "" {
		return nil
	}
	return fail.New(fail.Storage, "open ledger %s: %w: it is missing, but %s is there", dir, ErrCorrupt, found).
		WithHint("put ledger.db back from a backup, or move %s away to start a new ledger", dir)
}

func hasContent(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() > 0
}

// syncDir makes the names in dir survive a loss of power.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return fmt.Errorf("sync directory %s: %w", dir, err)
	}
	return nil
}

// bytesText prints a number of bytes with three digits and a decimal unit.
func bytesText(n uint64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	v, units := float64(n)/1000, "kMGTPE"
	i := 0
	for ; v >= 999.5 && i < len(units)-1; i++ {
		v /= 1000
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") + " " + units[i:i+1] + "B"
}
