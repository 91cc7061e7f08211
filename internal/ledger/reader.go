package ledger

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/storedir"
	"github.com/gohone/hone/internal/tempdir"
)

// OpenExisting is Open for commands that have nothing to do where there is no ledger
// yet: the error is then of kind fail.BadInput and wraps ErrNoLedger, and none is made.
func OpenExisting(dir string) (*Ledger, error) {
	home, err := homeWithDatabase(dir)
	if err != nil {
		return nil, err
	}
	if err := checkWritten(home); err != nil {
		return nil, storage(dir, errors.Join(err, home.Close()), "open ledger %s", dir)
	}
	return openIn(home, Options{}, currentSchema())
}

// homeWithDatabase opens the directory of a ledger that has a database.
func homeWithDatabase(dir string) (*storedir.Dir, error) {
	home, err := openHome(dir)
	if err != nil {
		return nil, err
	}
	exists, err := checkDatabaseFile(home)
	if err == nil && !exists {
		err = noLedger(dir)
	}
	return checked(home, storage(home.Path(), err, "open ledger %s", home.Path()))
}

func noLedger(dir string) error {
	return fail.New(fail.BadInput, "open ledger %s: %w", dir, ErrNoLedger).
		WithHint("hone run ./your/package makes the first run; or name the directory of an existing ledger")
}

// OpenReader opens the ledger in dir for reading. It takes no lock, changes no
// data, works while a writer is active, and in a directory that cannot be written.
// Where there is no ledger the error is of kind fail.BadInput and wraps ErrNoLedger;
// all others are of kind fail.Storage.
//
// A ledger of an older schema, and one that cannot be written but still has a log
// from a crash, are read from a private copy in the system's temporary directory.
func OpenReader(dir string) (*Ledger, error) { return openReader(dir, currentSchema()) }

func openReader(dir string, s schema) (_ *Ledger, err error) {
	home, err := openHome(dir)
	if err != nil {
		return nil, err
	}
	l := &Ledger{dir: home.Path(), home: home, me: self(), opts: Options{Now: time.Now, Random: rand.Reader}}
	defer func() {
		if err != nil {
			_ = l.release() // the error to report is the first one
			err = storage(dir, err, "open ledger %s", dir)
		}
	}()
	exists, err := checkDatabaseFile(home)
	if err == nil && !exists {
		return nil, noLedger(dir)
	}
	if err == nil {
		err = l.readSound(s)
	}
	if isCorrupt(err) {
		l.cause = err
		return l, l.readRebuilt(s)
	}
	return l, err
}

// readSound opens the database if it is sound. The error wraps ErrCorrupt if it is not.
func (l *Ledger) readSound(s schema) error {
	verified, err := checkSum(l.home, s)
	if err != nil {
		return err
	}
	written := beingWritten(l.home)
	version, err := l.openAnyhow()
	if err != nil {
		return err
	}
	if version > s.version {
		return newerSchema(version, s.version)
	}
	if !verified && !written {
		if err := checkContent(l.db, l.home, version); err != nil {
			return err
		}
	}
	if version < s.version {
		return l.readMigratedCopy(s)
	}
	if written || !hasContent(l.home, databaseName+"-wal") {
		return nil
	}
	// The last writer died. What it had finished, and the log does not have, is in the
	// records; the next writer puts it back.
	unmatched, err := unmatchedRecords(l.db, l.home)
	if err != nil || len(unmatched) == 0 {
		return err
	}
	return l.readRebuilt(s)
}

// openAnyhow opens the database in the first way that works, and returns its
// schema version.
func (l *Ledger) openAnyhow() (version int, err error) {
	path := databasePath(l.dir)
	version, err = l.try(openReadOnly(path, false))
	if err == nil || !l.mayNotMakeFiles(causeOf(err)) {
		return version, err
	}
	// SQLite wants to make the index of the log, and cannot. So there is no writer: it
	// would have made it. Without a log the file alone is the database; with
	// one, a copy of both is.
	if !hasContent(l.home, databaseName+"-wal") {
		return l.try(openReadOnly(path, true))
	}
	if err := l.makeScratch(); err != nil {
		return 0, err
	}
	for _, name := range []string{databaseName, databaseName + "-wal"} {
		if err := copyOut(l.home, name, filepath.Join(l.scratch.Path, name)); err != nil {
			return 0, fmt.Errorf("copy ledger to %s: %w", l.scratch.Path, err)
		}
	}
	return l.try(openWriter(databasePath(l.scratch.Path)))
}

// mayNotMakeFiles says whether an error of this cause can come from a directory that
// takes no new file.
func (l *Ledger) mayNotMakeFiles(c cause) bool {
	return c == causeFull || c != causeCorrupt && writable(l.dir) != nil
}

// try makes db the ledger's database if it is hone's.
func (l *Ledger) try(db *sql.DB, err error) (version int, _ error) {
	if err != nil {
		return 0, err
	}
	if version, err = identify(db); err == nil {
		err = checkWholePages(l.home, db)
	}
	if err != nil {
		return 0, errors.Join(err, db.Close())
	}
	l.db = db
	return version, nil
}

// readMigratedCopy goes on with a copy of the database at the schema s. The copy is
// SQLite's own: consistent while an older hone writes.
func (l *Ledger) readMigratedCopy(s schema) error {
	old := l.scratch
	if err := l.makeScratch(); err != nil {
		return err
	}
	copied := filepath.Join(l.scratch.Path, "migrated.db")
	_, err := l.db.Exec("VACUUM INTO ?", copied)
	err = errors.Join(err, l.db.Close())
	l.db = nil
	if old != nil {
		err = errors.Join(err, old.Remove())
	}
	if err != nil {
		return fmt.Errorf("copy ledger to %s: %w", l.scratch.Path, err)
	}
	if _, err := l.try(openWriter(copied)); err != nil {
		return err
	}
	return migrate(l.db, s)
}

func (l *Ledger) makeScratch() (err error) {
	l.scratch, err = tempdir.Make()
	return err
}

// copyOut copies a file of the ledger, if it is there, to a path elsewhere.
func copyOut(home *storedir.Dir, name, to string) error {
	src, err := home.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Close())
}

// errReadOnly is what a reader's writing methods return: a mistake of the caller.
var errReadOnly = errors.New("write ledger: it was opened for reading")
