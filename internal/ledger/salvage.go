package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/storedir"
)

// salvagedName is the new database from the moment it is whole and verified until it
// has taken the place of the damaged one.
const salvagedName = databaseName + ".salvaged"

// Salvaged says what Salvage did.
type Salvaged struct {
	// Damage says what was wrong with the database; "" if nothing was.
	Damage string `json:"damage,omitempty"`
	// Records are those whose file was missing or damaged, and that were written again
	// from their rows, which are as they were stored.
	Records []Ref `json:"records,omitempty"`
	// Kept are the names that the damaged files have now.
	Kept []string `json:"kept,omitempty"`
	Recovery
}

// Salvage makes a new database of all that is whole in a damaged ledger: of the records
// of finished runs, and of the rows without a record that still read. The damaged
// database and its log are kept under another name. A sound ledger is left as it is.
//
// A crash loses nothing. Until the new database is whole, verified and synced it has
// another name, and nothing else is touched. From then on another Salvage only renames:
// the damaged files away, the new one into place. Errors are of kind fail.Storage.
func Salvage(ctx context.Context, dir string, wait time.Duration) (out Salvaged, err error) {
	home, err := openHome(dir)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, home.Close()) }()
	if err := checkWritten(home); err != nil {
		return out, storage(dir, err, "salvage ledger %s", dir)
	}
	lk, err := acquire(home, self(), wait)
	if err != nil {
		return out, storage(dir, err, "lock ledger %s", dir)
	}
	defer func() { err = errors.Join(err, lk.release()) }()
	if err := lk.announce(self()); err != nil {
		return out, err
	}
	out, err = salvage(ctx, home, currentSchema())
	return out, storage(home.Path(), err, "salvage ledger %s", home.Path())
}

func salvage(ctx context.Context, home *storedir.Dir, s schema) (out Salvaged, err error) {
	_, damage := inspect(home, s)
	if damage == nil {
		out.Records, err = writeRecordsAgain(home, s)
		return out, err
	}
	if !errors.Is(damage, ErrCorrupt) {
		return out, damage
	}
	out.Damage = damage.Error()
	if err := layOut(home); err != nil {
		return out, err
	}
	if _, err := home.Stat(salvagedName); errors.Is(err, fs.ErrNotExist) {
		if out.Recovery, err = makeSalvaged(ctx, home, s); err != nil {
			return out, err
		}
	} else if err != nil {
		return out, err
	}
	out.Kept, err = place(home, s, time.Now())
	return out, err
}

// writeRecordsAgain writes the records of a sound database whose files are missing or
// damaged.
func writeRecordsAgain(home *storedir.Dir, s schema) (written []Ref, err error) {
	db, err := openReadOnly(databasePath(home.Path()), !hasContent(home, databaseName+"-wal"))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if version, err := versionOf(db); err != nil || version < s.version {
		return nil, err // it has none; the next writer writes them
	}
	if err := layOut(home); err != nil {
		return nil, err
	}
	for _, kind := range []Kind{KindComparison, KindRun} {
		named, err := namedRecords(db, kind)
		if err != nil {
			return written, err
		}
		for _, n := range named {
			if _, err := readRecord(home, RecordName(n.id, n.sum)); err == nil {
				continue
			}
			r, err := recordOf(db, Ref{kind, n.id})
			if err != nil {
				return written, err
			}
			if sum, err := writeRecord(home, r); err != nil || sum != n.sum {
				return written, errors.Join(err, fmt.Errorf("the row of %s %s is not the one that was stored", kind, n.id))
			}
			written = append(written, r.Ref())
		}
	}
	return written, nil
}

// makeSalvaged makes the new database, verifies it, and gives it its name for the time
// being.
func makeSalvaged(ctx context.Context, home *storedir.Dir, s schema) (r Recovery, err error) {
	const dir, made = "tmp/salvage", "tmp/salvage/new.db"
	if _, err := home.Mkdir(dir); err != nil {
		return r, err
	}
	f, err := home.Create(made) // for its mode: SQLite's own is for all to read
	if err != nil {
		return r, err
	}
	defer f.Close()
	if r, err = rebuild(home, home.Join(dir), home.Join(made), s); err != nil {
		return r, fmt.Errorf("make a new database: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return r, err
	}
	if err := verifyRebuilt(home.Join(made)); err != nil {
		return r, err
	}
	if err := errors.Join(f.Sync(), home.Rename(made, salvagedName)); err != nil {
		return r, err
	}
	return r, errors.Join(home.Sync("."), home.RemoveAll(dir))
}

func verifyRebuilt(path string) error {
	db, err := openReadOnly(path, true)
	if err != nil {
		return err
	}
	defer db.Close()
	faults, err := structuralFaults(db)
	if err == nil && len(faults) > 0 {
		err = fmt.Errorf("the new database is not sound: %s", faults[0])
	}
	return err
}

// place renames the damaged files, and then the new database into their place. Each
// step may be the last before a crash: the next call does the others.
func place(home *storedir.Dir, s schema, now time.Time) (kept []string, err error) {
	if err := dropSum(home); err != nil {
		return nil, err
	}
	aside := databaseName + ".damaged-" + now.UTC().Format("20060102T150405.000Z")
	for _, suffix := range []string{"", "-wal"} {
		switch _, err := home.Stat(databaseName + suffix); {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return kept, err
		}
		if err := home.Rename(databaseName+suffix, aside+suffix); err != nil {
			return kept, err
		}
		kept = append(kept, home.Join(aside+suffix))
	}
	// The index of the old log, and the old log, must be gone before there is a new
	// database: SQLite would read them into it.
	if err := errors.Join(home.RemoveAll(databaseName+"-shm"), home.Sync(".")); err != nil {
		return kept, err
	}
	if err := errors.Join(home.Rename(salvagedName, databaseName), home.Sync(".")); err != nil {
		return kept, err
	}
	writeSum(home, s.version)
	return kept, nil
}

// Damage is what is wrong with the ledger, for a reader that shows what can still be
// read; nil for a sound one.
func (l *Ledger) Damage() error {
	if l.cause == nil {
		return nil
	}
	return fail.New(fail.Storage, "open ledger %s: %w; shown is what is whole", l.dir, l.cause).WithHint("%s", salvageHint)
}

// readRebuilt goes on with a private database made of all that is whole in the ledger.
func (l *Ledger) readRebuilt(s schema) (err error) {
	if l.db != nil {
		if err := l.db.Close(); err != nil {
			return err
		}
		l.db = nil
	}
	if l.scratch == nil {
		if err := l.makeScratch(); err != nil {
			return err
		}
	}
	aside := path.Join(l.scratch.Path, "rebuild")
	if err := os.Mkdir(aside, 0o700); err != nil {
		return err
	}
	made := path.Join(aside, "new.db")
	if l.recovery, err = rebuild(l.home, aside, made, s); err != nil {
		return fmt.Errorf("read what is whole in %s: %w", l.dir, err)
	}
	l.db, err = openReadOnly(made, true)
	return err
}
