// Package ledger is the store of all runs: one directory, .hone, with an embedded
// database of runs, comparisons, slices and artefacts, and the profiles,
// histograms and logs themselves as files named by their SHA-256.
//
//	.hone/                mode 0700
//	    ledger.db         the rows (SQLite; -wal and -shm beside it while in use)
//	    blobs/ab/cdef...  the artefacts' bytes
//	    tmp/              files on their way into blobs; emptied at each Open
//	    key               of hashes of what is not stored itself (see Key)
//	    lock              held by the writer; its PID and start time as text
//	    records/          all that is known of each finished run, one file each
//	    ledger.sum        checksum of ledger.db
//	    reserve           space given up when the disk is full, for the last row
//
// The directory may have come with a repository: internal/storedir sees to it that links,
// pipes and other users' files in it are refused.
//
// A file is written to tmp, synced, renamed, its directory synced, and only then
// does a row name it: a row never points at bytes that a crash could take away.
//
// The journal is SQLite's write-ahead log with synchronous FULL. A commit is one
// append and one fsync of checksummed frames, so a torn write ends the log instead
// of damaging a page; the database file itself changes only from synced frames; and
// readers (hone history, hone show) never hold up the writer that is measuring.
// A rollback journal needs several fsyncs per commit, and after a crash no reader
// gets in until a writer has rolled back.
package ledger

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/gohone/hone/internal/storedir"
	"github.com/gohone/hone/internal/tempdir"
)

// Options change how a ledger is opened. The zero value is right for commands.
type Options struct {
	// Wait is how long to wait for another writer to end. 0 fails at once.
	Wait time.Duration
	// Now is the clock of started and finished times; nil means time.Now.
	Now func() time.Time
	// Random feeds the ids; nil means crypto/rand. Not for security: an id only has
	// to be free.
	Random io.Reader
	// Mark makes the marks of what is begun and ended here (see mark.go); nil makes none. Import never calls it.
	Mark func(content []byte) string
}

// Ledger is an open store. A writer and any number of readers, in any processes,
// may have the same directory open. Its methods may be called from several
// goroutines.
type Ledger struct {
	dir  string
	home *storedir.Dir // dir, open
	db   *sql.DB
	opts Options
	me   process

	lock     *lock        // nil for a reader
	clean    bool         // the writer before came to its end
	recovery Recovery     // what the rebuilt copy of a reader holds
	cause    error        // what a reader found, while it reads from a rebuilt copy
	scratch  *tempdir.Dir // for a reader's private copy, removed by Close; nil if none

	mu     sync.Mutex
	drafts map[string]*pending // unfinished, to be marked by Close
	// unkept says by comparison why a run of it has no record yet.
	unkept map[string]error
	closed sync.Once
}

// Open opens the ledger in dir for writing and creates it if there is none. It
// takes the writer's lock and marks as crashed what a dead writer left running.
// All errors are of kind fail.Storage; a schema newer than this program's, a
// damaged database (ErrCorrupt) and a directory that cannot be written are refused
// before anything is changed.
func Open(dir string) (*Ledger, error) { return OpenWith(dir, Options{}) }

// OpenWith is Open with options.
func OpenWith(dir string, o Options) (*Ledger, error) {
	return open(dir, o, currentSchema())
}

func open(dir string, o Options, s schema) (*Ledger, error) {
	home, err := makeHome(dir)
	if err != nil {
		return nil, storage(dir, err, "open ledger %s", dir)
	}
	return openIn(home, o, s)
}

// openIn opens the ledger in home, which is the ledger's from here on.
func openIn(home *storedir.Dir, o Options, s schema) (_ *Ledger, err error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	l := &Ledger{dir: home.Path(), home: home, opts: o, me: self(), drafts: map[string]*pending{}, unkept: map[string]error{}}
	defer func() {
		if err != nil {
			// The first error is the one to report; what release says follows from it.
			_ = l.release()
		}
	}()
	if err := l.lockUnchanged(s); err != nil {
		return nil, err
	}
	if err := l.prepare(s); err != nil {
		return nil, err
	}
	return l, l.catchUp()
}

// lockUnchanged takes the lock, and refuses a ledger that this program must not
// touch before the first byte in it has changed.
func (l *Ledger) lockUnchanged(s schema) error {
	if _, err := l.home.Stat(lockName); errors.Is(err, fs.ErrNotExist) {
		// No hone has ever had the lock, so there is no writer, and to make the lock
		// file would be a change already.
		if _, err := inspect(l.home, s); err != nil {
			return err
		}
	}
	lk, err := acquire(l.home, l.me, l.opts.Wait)
	if err != nil {
		return storage(l.dir, err, "lock ledger %s", l.dir)
	}
	l.lock = lk
	if l.clean, err = inspect(l.home, s); err != nil {
		return err
	}
	return l.lock.announce(l.me)
}

// prepare makes what is missing and opens the database at the schema s.
func (l *Ledger) prepare(s schema) error {
	if err := layOut(l.home); err != nil {
		return storage(l.dir, err, "lay out ledger %s", l.dir)
	}
	if err := createDatabase(l.home, s); err != nil {
		return storage(l.dir, err, "create ledger %s", l.dir)
	}
	db, err := openWriter(databasePath(l.dir))
	if err != nil {
		return storage(l.dir, err, "open ledger %s", l.dir)
	}
	l.db = db
	if err := l.migrate(s); err != nil {
		return storage(l.dir, err, "migrate ledger %s", l.dir)
	}
	fillReserve(l.home)
	return nil
}

// migrate brings the database to the schema s. It folds the log into the database then.
func (l *Ledger) migrate(s schema) error {
	version, err := versionOf(l.db)
	if err != nil || version == s.version {
		return err
	}
	if err := dropSum(l.home); err != nil {
		return err
	}
	return migrate(l.db, s)
}

// catchUp does what the writer before left undone.
func (l *Ledger) catchUp() error {
	if !l.clean {
		if err := l.redo(); err != nil {
			return err
		}
	}
	if err := l.markCrashed(); err != nil {
		return err
	}
	return l.keepMissing()
}

// Dir returns the directory of the ledger.
func (l *Ledger) Dir() string { return l.dir }

// Close marks unfinished drafts as interrupted and releases the ledger. The data of
// finished runs is on the disk before Close; an error here loses none of it. A
// second Close does nothing.
func (l *Ledger) Close() (err error) {
	l.closed.Do(func() { err = errors.Join(l.abandonDrafts(), l.release()) })
	return err
}

func (l *Ledger) abandonDrafts() error {
	l.mu.Lock()
	open := slices.Collect(maps.Values(l.drafts))
	l.mu.Unlock()
	var faults []error
	for _, r := range open {
		faults = append(faults, r.abandon())
	}
	return errors.Join(faults...)
}

// release gives back the database, the lock, the private copy and the directory, in this order:
// the lock outlives the last write.
func (l *Ledger) release() error {
	var faults []error
	if l.db != nil {
		if err := l.settle(); err != nil {
			faults = append(faults, storage(l.dir, err, "close ledger %s", l.dir))
		}
	}
	if l.lock != nil {
		faults = append(faults, l.lock.release())
	}
	if l.scratch != nil {
		faults = append(faults, l.scratch.Remove())
	}
	if l.home != nil {
		faults = append(faults, l.home.Close())
	}
	return errors.Join(faults...)
}
