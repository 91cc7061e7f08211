package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gohone/hone/internal/sys/storedir"
	"github.com/gohone/hone/internal/text/fail"
)

// openHome opens the directory of a ledger for reading. The error is noLedger if there is none.
func openHome(dir string) (*storedir.Dir, error) {
	if err := CheckOrigin(dir); err != nil {
		return nil, err
	}
	home, err := storedir.Open(dir)
	if err == nil {
		home, err = checked(home, checkThere(home))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noLedger(dir)
	}
	return home, storage(dir, err, "open ledger %s", dir)
}

// checkThere wants a ledger. The error wraps fs.ErrNotExist if there is none.
func checkThere(home *storedir.Dir) error {
	if err := checkKind(home); err != nil {
		return err
	}
	_, err := home.StatDir(recordsName)
	return err
}

// checkKind refuses the ledgers of older hones: schemas 1 to 4 had a database.
func checkKind(home *storedir.Dir) error {
	const database = "ledger.db"
	_, err := home.Stat(database)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return anotherSchema(home.Path(), &otherSchema{"1 to 4 (" + database + ", of an older hone)", recordSchema})
}

func noLedger(dir string) error {
	return fail.New(fail.BadInput, "open ledger %s: %w", dir, ErrNoLedger).
		WithHint("hone run ./your/package makes the first run; or name the directory of an existing ledger")
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
	for _, name := range []string{"blobs", recordsName, "tmp"} {
		if _, err := home.ReadDir(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return errors.Join(home.CheckInPlace(lockName, reserveName), checkKind(home))
}

// layOut makes the directories and empties tmp, where only a crash leaves files.
func layOut(home *storedir.Dir) error {
	for _, name := range []string{"blobs", recordsName, "tmp"} {
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
