package ledger

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/gohone/hone/internal/text/fail"
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

// addArtefact writes the file first, then the record: a crash between them leaves a
// file that no run names, never a run without its file.
func (p *pending) addArtefact(kind, name string, data io.Reader) (Artefact, error) {
	a := Artefact{Run: p.ref.ID, Kind: kind, Name: name}
	if kind == "" || name == "" {
		return Artefact{}, fmt.Errorf("store artefact of %v: kind %q and name %q, both are needed", p.ref, kind, name)
	}
	sum, size, err := writeBlob(p.l.home, data)
	if err != nil {
		// At least what was written when the disk was full, and the rest is unknown.
		return Artefact{}, storageNeed(p.l.dir, uint64(size)+1, err, "store %v", a)
	}
	a.SHA256, a.Size = sum, size
	err = p.change(func(r *Record) error {
		if slices.ContainsFunc(r.Artefacts, func(b Artefact) bool { return b.Kind == kind && b.Name == name }) {
			return errors.New("the run has one of that name")
		}
		r.Artefacts = append(r.Artefacts, a)
		return nil
	})
	if err != nil {
		return Artefact{}, storageNeed(p.l.dir, rowBytes, err, "store %v", a)
	}
	return a, nil
}

// rowBytes is about what a record takes on the disk without its document.
const rowBytes = 32 << 10

// Artefacts returns the artefacts of the run with this id or prefix, in the order
// they were stored.
func (l *Ledger) Artefacts(run string) ([]Artefact, error) {
	r, err := l.runEntry(run)
	if err != nil {
		return nil, err
	}
	return slices.Clone(r.Artefacts), nil
}

// ArtefactWith returns an artefact whose bytes have this SHA-256 (64 hex digits), of several the first; fail.BadInput
// if no run has one.
func (l *Ledger) ArtefactWith(sum string) (Artefact, error) {
	all, err := l.list(KindRun)
	if err != nil {
		return Artefact{}, err
	}
	for _, r := range slices.Backward(all) {
		for _, a := range r.Artefacts {
			if a.SHA256 == sum {
				return a, nil
			}
		}
	}
	return Artefact{}, fail.New(fail.BadInput, "no run has an artefact %q",
		sum).WithHint("the page of a run lists its artefacts")
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
			WithHint("put the file back from a backup, the other runs are not affected; or %s", repairHint)
	}
	return nil, storage(l.dir, err, "read %v", a)
}

// ArtefactPath returns the file that holds the artefact's bytes, for tools that
// want a path. The file must not be changed.
func (l *Ledger) ArtefactPath(a Artefact) (string, error) {
	path, err := blobPath(l.dir, a.SHA256)
	return path, storage(l.dir, err, "find file of %v", a)
}
