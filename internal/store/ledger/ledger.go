// Package ledger is the store of all runs: one directory, .hone.
//
//	.hone/                  mode 0700
//	    records/ID.head     all that is known of a run or comparison: see Record
//	    records/ID.slices   the slices of a run, appended while it goes on: see slice_file.go
//	    blobs/ab/cdef...    profiles, logs and other artefacts, named by their SHA-256
//	    baselines           which runs are pinned
//	    index               what lists need of all records; can be deleted at any time
//	    tmp/                files on their way to a name; emptied at each Open
//	    key                 of hashes of what is not stored itself (see Key)
//	    lock                held by the writer; its PID and start time as text
//	    reserve             space given up when the disk is full, for the last record
//	    damaged/            what Repair moved aside
//
// The records are the truth. Each file can be checked by itself, against a checksum in it or in
// the record that names it, so damage of one costs that one: it is named, and all others are read.
//
// A file is written to tmp, synced, renamed, and its directory synced. A record names only what is
// on the disk before it. A run begins with a record that says who is running it, and ends when that is
// replaced: so a crash leaves a record of a dead process, which every reader shows as crashed and the
// next writer ends. Readers take no lock, and never hold up the writer that is measuring.
//
// The directory may have come with a repository: internal/sys/storedir sees to it that links,
// pipes and other users' files in it are refused.
package ledger

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/gohone/hone/internal/sys/storedir"
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
	// Mark makes the marks of what is begun and ended here (see Record.Mark); nil makes none. Import never calls it.
	Mark func(content []byte) string
}

// Ledger is an open store. A writer and any number of readers, in any processes,
// may have the same directory open. Its methods may be called from several
// goroutines.
type Ledger struct {
	dir  string
	home *storedir.Dir // dir, open
	opts Options
	me   process
	lock *lock // nil for a reader

	onNewest func(Newest) // nil where no one asked

	mu      sync.Mutex
	known   *catalogue
	lastSeq int64
	drafts  map[string]*pending // unfinished, to be ended by Close
	closed  sync.Once
}

// Open opens the ledger in dir for writing and creates it if there is none. It
// takes the writer's lock and marks as crashed what a dead writer left running.
// All errors are of kind fail.Storage or fail.Untrusted; a ledger of another schema
// and a directory that cannot be written are refused before anything is changed.
func Open(dir string) (*Ledger, error) { return OpenWith(dir, Options{}) }

// OpenWith is Open with options.
func OpenWith(dir string, o Options) (*Ledger, error) {
	home, err := makeHome(dir)
	if err != nil {
		return nil, storage(dir, err, "open ledger %s", dir)
	}
	return openIn(home, o)
}

func newLedger(home *storedir.Dir, o Options) *Ledger {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	return &Ledger{dir: home.Path(), home: home, opts: o, me: self(), drafts: map[string]*pending{}}
}

// openIn opens the ledger in home, which is the ledger's from here on.
func openIn(home *storedir.Dir, o Options) (_ *Ledger, err error) {
	l := newLedger(home, o)
	defer func() {
		if err != nil {
			_ = l.release() // the first error is the one to report
			err = storage(l.dir, err, "open ledger %s", l.dir)
		}
	}()
	if err := l.lockUnchanged(); err != nil {
		return nil, err
	}
	fillReserve(l.home)
	return l, l.markCrashed()
}

// lockUnchanged takes the lock and reads what there is. It refuses a ledger that this program must not
// touch before the first byte in it has changed.
func (l *Ledger) lockUnchanged() (err error) {
	if _, err := l.home.Stat(lockName); errors.Is(err, fs.ErrNotExist) {
		// No hone has ever had the lock, so there is no writer, and to make the lock
		// file would be a change already.
		if err := l.readAll(); err != nil {
			return err
		}
	}
	if l.lock, err = acquire(l.home, l.me, l.opts.Wait); err != nil {
		return storage(l.dir, err, "lock ledger %s", l.dir)
	}
	if err := l.readAll(); err != nil {
		return err
	}
	if err := l.lock.announce(l.me); err != nil {
		return err
	}
	return storage(l.dir, layOut(l.home), "lay out ledger %s", l.dir)
}

// readAll makes the catalogue; that of a ledger which is not there yet is empty.
func (l *Ledger) readAll() (err error) {
	l.known, err = readCatalogue(l.home, readIndex(l.home))
	if errors.Is(err, fs.ErrNotExist) {
		l.known, err = &catalogue{records: map[string]*Record{}, faults: map[string]error{}}, nil
	}
	if err == nil {
		l.lastSeq = l.known.lastSeq()
	}
	return err
}

// OpenExisting is Open for commands that have nothing to do where there is no ledger
// yet: the error is then of kind fail.BadInput and wraps ErrNoLedger, and no ledger is made.
func OpenExisting(dir string) (*Ledger, error) {
	home, err := openHome(dir)
	if err != nil {
		return nil, err
	}
	if home, err = checked(home, checkWritten(home)); err != nil {
		return nil, storage(dir, err, "open ledger %s", dir)
	}
	return openIn(home, Options{})
}

// OpenReader opens the ledger in dir for reading. It takes no lock, changes nothing,
// works while a writer is active, and in a directory that cannot be written.
// Where there is no ledger the error is of kind fail.BadInput and wraps ErrNoLedger;
// all others are of kind fail.Storage or fail.Untrusted.
func OpenReader(dir string) (*Ledger, error) {
	home, err := openHome(dir)
	if err != nil {
		return nil, err
	}
	l := newLedger(home, Options{})
	if l.known, err = readCatalogue(home, readIndex(home)); err != nil {
		return nil, errors.Join(storage(dir, err, "open ledger %s", dir), home.Close())
	}
	return l, nil
}

// Dir returns the directory of the ledger.
func (l *Ledger) Dir() string { return l.dir }

// Close ends unfinished drafts as interrupted and releases the ledger. The data of
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

// release gives back the lock and the directory, in this order: the lock outlives the last write.
func (l *Ledger) release() error {
	var faults []error
	if l.lock != nil {
		if l.known != nil && l.known.fresh >= unindexed {
			_ = writeIndex(l.home, l.known) // a disk without space for it has none
		}
		faults = append(faults, l.lock.release())
	}
	return errors.Join(append(faults, l.home.Close())...)
}
