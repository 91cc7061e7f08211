package ledger

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"strings"

	"github.com/gohone/hone/internal/sys/storedir"
	"github.com/gohone/hone/internal/text/fail"
)

// recordsName is the directory of the records: ID.head and, of a run that has any, ID.slices.
const (
	recordsName  = "records"
	headSuffix   = ".head"
	slicesSuffix = ".slices"
)

func headName(id string) string   { return path.Join(recordsName, id+headSuffix) }
func slicesName(id string) string { return path.Join(recordsName, id+slicesSuffix) }

// recordID returns the id in the name of a file of records with this suffix.
func recordID(name, suffix string) (id string, ok bool) {
	id, ok = strings.CutSuffix(name, suffix)
	return id, ok && checkIDs(id) == nil
}

// maxHead bounds the file of one record, in bytes. A document has some 10 kB.
const maxHead = 256 << 20

// readRecord reads the record with this id.
func readRecord(home *storedir.Dir, id string) (*Record, error) {
	data, err := readStart(home, headName(id), maxHead)
	if err != nil {
		return nil, err
	}
	r, err := decodeRecord(data)
	if err == nil && r.Ref().ID != id {
		err = fmt.Errorf("%w: it is the record of %s", errDamaged, r.Ref().ID)
	}
	return r, err
}

// Record returns all that the ledger knows of a run or comparison, apart from its slices and
// the bytes of its artefacts. What a dead process left running has crashed.
func (l *Ledger) Record(ref Ref) (*Record, error) {
	known, err := l.entry(ref)
	if err != nil {
		return nil, err
	}
	r, err := readSettled(l.home, ref.ID)
	if err != nil {
		return nil, l.unread(ref, err)
	}
	if r.Comparison != nil {
		r.Comparison.Runs = known.Comparison.Runs
	}
	return r, nil
}

// readSettled reads a record, and ends it if its process is dead.
func readSettled(home *storedir.Dir, id string) (*Record, error) {
	r, err := readRecord(home, id)
	if err != nil || r.ended() || r.Status() != Crashed {
		return r, err
	}
	status, reason, _ := r.state()
	*status, *reason = r.seen()
	r.Writer = nil
	if r.Run != nil {
		_, r.Slices, err = readWholeSlices(home, id)
	}
	return r, err
}

// unread explains why the record of ref cannot be read.
func (l *Ledger) unread(ref Ref, err error) error {
	if errors.Is(err, errDamaged) || errors.Is(err, fs.ErrNotExist) {
		return fail.New(fail.Storage, "read %v: file %s: %w", ref, l.home.Join(headName(ref.ID)), err).
			WithHint("put the file back from a backup; or %s", repairHint)
	}
	return storage(l.dir, err, "read %v", ref)
}

// store writes the record, and lets the catalogue know of it. When it returns, content and
// name are on the disk.
func (l *Ledger) store(r *Record) error {
	if l.lock == nil {
		return errReadOnly
	}
	data, err := r.encode()
	if err == nil {
		err = placeFile(l.home, headName(r.Ref().ID), data)
	}
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known.put(r)
	return nil
}

// placeFile gives these bytes a name, whole and synced, or changes nothing.
func placeFile(home *storedir.Dir, name string, data []byte) (err error) {
	f, tmp, err := home.CreateTemp("tmp", "file-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = home.RemoveAll(tmp)
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := home.Rename(tmp, name); err != nil {
		return err
	}
	return home.Sync(path.Dir(name))
}

func readFile(home *storedir.Dir, name string) ([]byte, error) {
	return readStart(home, name, math.MaxInt64)
}

// readStart reads at most so many bytes of a file.
func readStart(home *storedir.Dir, name string, most int64) ([]byte, error) {
	f, err := home.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}
