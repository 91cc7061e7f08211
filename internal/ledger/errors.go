package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/gohone/hone/internal/diskroom"
	"github.com/gohone/hone/internal/fail"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Sentinels that callers branch on with errors.Is.
var (
	// ErrNoLedger: there is no ledger in the directory yet (readers only).
	ErrNoLedger = errors.New("no ledger here")
	// ErrCorrupt: the database is damaged. Nothing was changed; this is where a
	// salvage into a new file starts.
	ErrCorrupt = errors.New("ledger.db is damaged")
	// ErrFull: the disk is full. The ledger stays usable once space is freed.
	ErrFull = errors.New("disk full")
)

// cause classes what the disk or SQLite said.
type cause int

const (
	causeOther cause = iota
	causeFull
	causeCorrupt
	causeDenied
	causeBusy
)

func causeOf(err error) cause {
	switch {
	case errors.Is(err, ErrCorrupt):
		return causeCorrupt
	case errors.Is(err, ErrFull), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return causeFull
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return causeDenied
	}
	code := sqliteCode(err)
	if code == sqlite3.SQLITE_IOERR_SHMSIZE { // the index of the log could not grow
		return causeFull
	}
	switch code & 0xff { // the low byte is the primary code: sqlite.org/rescode.html
	case sqlite3.SQLITE_FULL:
		return causeFull
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return causeCorrupt
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return causeDenied
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return causeBusy
	}
	return causeOther
}

// sqliteCode returns the extended result code of an SQLite error, or 0.
func sqliteCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

// storage turns err into a fail.Error that says what could not be done ("verb
// noun"), why, and how to go on. An error that is a fail.Error already passes as
// it is; nil stays nil.
func storage(dir string, err error, format string, args ...any) error {
	return storageNeed(dir, 0, err, format, args...)
}

// storageNeed is storage for a write of need bytes (0: unknown), which the message
// names if the disk is full.
func storageNeed(dir string, need uint64, err error, format string, args ...any) error {
	var known *fail.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	what := fmt.Sprintf(format, args...)
	switch causeOf(err) {
	case causeFull:
		return fail.New(fail.Storage, "%s: %w: %s (%w)", what, ErrFull, spaceText(dir, need), err).
			WithHint("free space on the file system of %s and repeat the command; the runs stored so far are intact", dir)
	case causeCorrupt:
		if !errors.Is(err, ErrCorrupt) {
			err = fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		return fail.New(fail.Storage, "%s: %w", what, err).
			WithHint("%s", salvageHint)
	case causeDenied:
		return fail.New(fail.Storage, "%s: no permission to read or write there: %w", what, err).
			WithHint("give yourself write access (ls -ld %s; is the file system mounted read-only?), or choose another directory for the ledger", dir)
	case causeBusy:
		return fail.New(fail.Storage, "%s: another program holds the database: %w", what, err).
			WithHint("close programs that have %s open, then repeat the command", databasePath(dir))
	}
	return fail.New(fail.Storage, "%s: %w", what, err).
		WithHint("hone ledger verify")
}

// salvageHint is the next step where the database is damaged.
const salvageHint = "hone ledger salvage makes a new database of all that is whole and keeps the damaged one; nothing was changed yet"

func spaceText(dir string, need uint64) string {
	text := "more space is needed"
	if need > 0 {
		text = bytesText(need) + " needed"
	}
	free, err := diskroom.Free(dir)
	if err != nil {
		return text
	}
	return text + ", " + bytesText(free) + " free"
}
