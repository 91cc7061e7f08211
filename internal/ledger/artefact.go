package ledger

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/gohone/hone/internal/fail"
)

// Artefact is a file that belongs to a run: a profile, a log, a histogram. Two
// artefacts with the same bytes share one file.
type Artefact struct {
	Run    string `json:"run"`
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // 64 hex digits
	Size   int64  `json:"size"`   // bytes
}

// String names the artefact as messages do.
func (a Artefact) String() string { return fmt.Sprintf("%s %q of run %s", a.Kind, a.Name, a.Run) }

// addArtefact writes the file first, then its row: a crash between them leaves a
// file that no row names, never a row without its file.
func (l *Ledger) addArtefact(run, kind, name string, data io.Reader) (Artefact, error) {
	a := Artefact{Run: run, Kind: kind, Name: name}
	if kind == "" || name == "" {
		return Artefact{}, fmt.Errorf("store artefact of run %s: kind %q and name %q, both are needed", run, kind, name)
	}
	if l.lock == nil {
		return Artefact{}, errReadOnly
	}
	sum, size, err := writeBlob(l.home, data)
	if err != nil {
		// At least what was written when the disk was full, and the rest is unknown.
		return Artefact{}, storageNeed(l.dir, uint64(size)+1, err, "store %v", a)
	}
	a.SHA256, a.Size = sum, size
	err = l.inTx(func(tx *sql.Tx) error { return insertArtefact(tx, a) })
	if err != nil {
		return Artefact{}, storageNeed(l.dir, rowBytes, err, "store row of %v", a)
	}
	return a, nil
}

func insertArtefact(tx *sql.Tx, a Artefact) error {
	_, err := tx.Exec(`INSERT INTO artefacts (run, kind, name, sha256, size) VALUES (?, ?, ?, ?, ?)`,
		a.Run, a.Kind, a.Name, a.SHA256, a.Size)
	return err
}

// rowBytes is what the commit of one row needs of the log: a few pages of 4 kB.
const rowBytes = 32 << 10

// Artefacts returns the artefacts of the run with this id or prefix, in the order
// they were stored.
func (l *Ledger) Artefacts(run string) ([]Artefact, error) {
	return named(l, run, KindRun, "artefacts of run", artefactsOf)
}

func artefactsOf(q querier, run string) ([]Artefact, error) {
	return artefactsIn(q, "WHERE run = ?", run)
}

func artefactsIn(q querier, where string, args ...any) ([]Artefact, error) {
	rows, err := q.Query("SELECT "+artefactColumns+" FROM artefacts "+where+" ORDER BY rowid", args...)
	return collect(rows, err, func(r *sql.Rows) (Artefact, error) { return scanArtefact(r) })
}

const artefactColumns = "run, kind, name, sha256, size"

// scanArtefact reads artefactColumns, and the further columns into more.
func scanArtefact(rows *sql.Rows, more ...any) (a Artefact, err error) {
	columns := []any{&a.Run, &a.Kind, &a.Name, &a.SHA256, &a.Size}
	return a, rows.Scan(append(columns, more...)...)
}

// ArtefactWith returns an artefact whose bytes have this SHA-256 (64 hex digits), of several the first; fail.BadInput if no
// run has one.
func (l *Ledger) ArtefactWith(sum string) (Artefact, error) {
	all, err := artefactsIn(l.db, "WHERE sha256 = ?", sum)
	if err != nil {
		return Artefact{}, storage(l.dir, err, "find artefact %s", sum)
	}
	if len(all) == 0 {
		return Artefact{}, fail.New(fail.BadInput, "no run has an artefact %q", sum).WithHint("the page of a run lists its artefacts")
	}
	return all[0], nil
}

// ReadArtefact returns the bytes of an artefact. Bytes that are missing or not
// those that were stored are an error of kind fail.Storage.
func (l *Ledger) ReadArtefact(a Artefact) ([]byte, error) {
	data, err := readBlob(l.home, a.SHA256, a.Size)
	if err == nil {
		return data, nil
	}
	path, _ := blobPath(l.dir, a.SHA256)
	if errors.Is(err, errDamaged) || errors.Is(err, fs.ErrNotExist) {
		return nil, fail.New(fail.Storage, "read %v: file %s: %w", a, path, err).
			WithHint("hone ledger verify lists all damage; put the file back from a backup, the other runs are not affected")
	}
	return nil, storage(l.dir, err, "read %v", a)
}

// ArtefactPath returns the file that holds the artefact's bytes, for tools that
// want a path. The file must not be changed.
func (l *Ledger) ArtefactPath(a Artefact) (string, error) {
	path, err := blobPath(l.dir, a.SHA256)
	return path, storage(l.dir, err, "find file of %v", a)
}
