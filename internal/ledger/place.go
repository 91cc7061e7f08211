package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/storedir"
)

const databaseName = "ledger.db"

func databasePath(dir string) string { return filepath.Join(dir, databaseName) }

// openHome opens the directory of a ledger for reading. The error is noLedger if there is none.
func openHome(dir string) (*storedir.Dir, error) {
	if err := CheckOrigin(dir); err != nil {
		return nil, err
	}
	home, err := storedir.Open(dir)
	if err == nil {
		home, err = checked(home, checkDatabase(home))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noLedger(dir)
	}
	return home, storage(dir, err, "open ledger %s", dir)
}

// makeHome opens the directory of a ledger for writing, and makes it if it is not there. It
// makes sure that files can be made in it: a run of ten minutes must not end with the news
// that it could not be stored.
func makeHome(dir string) (*storedir.Dir, error) {
	if err := CheckOrigin(dir); err != nil {
		return nil, err
	}
	home, err := storedir.Make(dir)
	if err != nil {
		return nil, err
	}
	return checked(home, checkWritten(home))
}

// checked returns home, or closes it if there is an error.
func checked(home *storedir.Dir, err error) (*storedir.Dir, error) {
	if err != nil {
		return nil, errors.Join(err, home.Close())
	}
	return home, nil
}

// checkWritten refuses what hone would write to before the first byte is written.
func checkWritten(home *storedir.Dir) error {
	if err := writable(home.Path()); err != nil {
		return &fs.PathError{Op: "write", Path: home.Path(), Err: err}
	}
	for _, name := range []string{"blobs", "records", "tmp"} {
		if _, err := home.ReadDir(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return errors.Join(home.CheckInPlace("lock", "reserve"), checkDatabase(home))
}

// checkDatabase refuses files that SQLite, which opens them by their path, must not open.
// SQLite itself follows no link in place of the log and its index, but one in place of the
// database.
//
// A rollback journal is no file of hone's: the database has a write-ahead log. A journal
// that came from elsewhere would be rolled back into the database, and can name a file,
// anywhere, that SQLite deletes when it has done so (sqlite.org/atomiccommit.html, 5.0).
func checkDatabase(home *storedir.Dir) error {
	const journal = databaseName + "-journal"
	if _, err := home.Stat(journal); !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			return err
		}
		return fail.New(fail.Untrusted, "%s is a rollback journal; hone writes none, and lets SQLite read none", home.Join(journal)).
			WithHint("move it away; the ledger is complete without it")
	}
	return home.CheckInPlace(databaseName, databaseName+"-wal", databaseName+"-shm")
}

// layOut makes the directories and empties tmp, where only a crash leaves files.
func layOut(home *storedir.Dir) error {
	for _, name := range []string{"blobs", "records", "tmp"} {
		if _, err := home.Mkdir(name); err != nil {
			return err
		}
	}
	left, err := home.ReadDir("tmp")
	if err != nil {
		return err
	}
	for _, e := range left {
		if err := home.RemoveAll(path.Join("tmp", e.Name())); err != nil {
			return err
		}
	}
	return HideFromGit(home)
}

// HideFromGit tells git to ignore the directory of a ledger: go stamps into a program whether
// the work tree was clean, and hone's own files must not count. What stands there already stays.
func HideFromGit(home *storedir.Dir) error {
	f, err := home.Create(".gitignore")
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString("*\n")
	return errors.Join(err, f.Close())
}

// checkRemains refuses to start afresh beside the remains of a lost database: a new
// one would replay the old log, and the blobs would lose their last witness.
func checkRemains(home *storedir.Dir) error {
	found := ""
	if hasContent(home, databaseName+"-wal") {
		found = databaseName + "-wal"
	}
	subs, err := home.ReadDir("blobs")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, s := range subs {
		name := path.Join("blobs", s.Name())
		if files, _ := home.ReadDir(name); len(files) > 0 {
			found = name
			break
		}
	}
	if records, _, err := listRecords(home); err == nil && len(records) > 0 {
		found = recordsName
	}
	if found == "" {
		return nil
	}
	dir := home.Path()
	return fail.New(fail.Storage, "open ledger %s: %w: it is missing, but %s is there", dir, ErrCorrupt, found).
		WithHint("put ledger.db back from a backup; or " + salvageHint)
}

func hasContent(home *storedir.Dir, name string) bool {
	info, err := home.Stat(name)
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
