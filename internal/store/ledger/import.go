package ledger

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/gohone/hone/internal/text/fail"
)

// Imported says what Import did.
type Imported struct {
	// Added are new, Kept were there already, with the same content.
	Added []Ref `json:"added,omitempty"`
	Kept  []Ref `json:"kept,omitempty"`
}

// Import stores the runs and comparisons of an archive, all or none. Each goes to the end
// of the order of arrival, with the time of the import in its origin. blob opens the bytes
// with a SHA-256 that an artefact of the records has, or their slices. The comparison of each run must be
// among the records. fail.BadInput: a name is taken by something else, or slices are not what their record says.
//
// All other files are written first, then the records, those of comparisons before those of their runs. A hone
// that is killed in between leaves files that no run refers to, and maybe some of the records:
// the same import again stores the others.
func (l *Ledger) Import(records []*Record, blob func(sum string) (io.ReadCloser, error)) (Imported, error) {
	if l.lock == nil {
		return Imported{}, errReadOnly
	}
	in := &importer{l: l, blob: blob}
	fresh, err := in.sort(records)
	if err != nil || len(fresh) == 0 {
		return in.Imported, err
	}
	err = in.storeFiles(fresh)
	if err == nil {
		err = in.storeRecords(fresh)
	}
	if err != nil {
		in.undo()
		return Imported{}, storageNeed(l.dir, in.written, err, "import %d runs and comparisons", len(fresh))
	}
	return in.Imported, nil
}

// importer is the work of one import.
type importer struct {
	Imported
	l    *Ledger
	blob func(sum string) (io.ReadCloser, error)
	// files and ids are what was written, to be removed if the import fails.
	files   []string
	ids     []string
	written uint64 // bytes of the files
}

// sort tells the records that are new from those that the ledger has.
func (in *importer) sort(records []*Record) (fresh []*Record, err error) {
	for _, r := range slices.SortedStableFunc(slices.Values(records), CompareRecords) {
		ref := r.Ref()
		there, err := in.l.withPrefix(ref.ID)
		if err != nil {
			return nil, err
		}
		if len(there) == 0 {
			fresh = append(fresh, r)
			in.Added = append(in.Added, ref)
			continue
		}
		same := there[0] == ref
		if same {
			own, err := in.l.Record(ref)
			if err != nil {
				return nil, err
			}
			if same, err = sameMeasurement(own, r); err != nil {
				return nil, err
			}
		}
		if !same {
			return nil, fail.New(fail.BadInput, "import %v: the ledger has another %s of that name", ref,
				there[0].Kind).
				WithHint("nothing was written; import into a ledger of its own: --ledger DIRECTORY")
		}
		in.Kept = append(in.Kept, ref)
	}
	return fresh, nil
}

// storeFiles writes the artefacts, each content once, and the slices of the records.
func (in *importer) storeFiles(fresh []*Record) error {
	done := map[string]bool{}
	for _, r := range fresh {
		for _, a := range r.Artefacts {
			if done[a.SHA256] {
				continue
			}
			done[a.SHA256] = true
			if err := in.storeBlob(a); err != nil {
				return fmt.Errorf("store %v: %w", a, err)
			}
		}
		if err := in.storeSlices(r); err != nil {
			return err
		}
	}
	return nil
}

func (in *importer) storeBlob(a Artefact) error {
	name, err := BlobName(a.SHA256)
	if err != nil {
		return err
	}
	if _, err := in.l.home.Stat(name); errors.Is(err, fs.ErrNotExist) {
		in.files = append(in.files, name)
	} else if err != nil {
		return err
	}
	data, err := in.blob(a.SHA256)
	if err != nil {
		return err
	}
	defer data.Close()
	sum, size, err := writeBlob(in.l.home, data)
	in.written += uint64(size)
	if err == nil && (sum != a.SHA256 || size != a.Size) {
		if other, err := BlobName(sum); err == nil {
			in.files = append(in.files, other)
		}
		err = fmt.Errorf("%w: %d bytes with SHA-256 %s", errDamaged, size, sum)
	}
	return err
}

// storeSlices writes the slices of a record if they are what it says.
func (in *importer) storeSlices(r *Record) error {
	if r.Slices == (SliceFile{}) {
		return nil
	}
	from, err := in.blob(r.Slices.SHA256)
	if err != nil {
		return err
	}
	defer from.Close()
	data, err := io.ReadAll(io.LimitReader(from, r.Slices.Size+1))
	if err != nil {
		return err
	}
	err = r.Slices.is(data)
	if err == nil {
		_, err = decodeSlices(r.Run.ID, data, r.Slices.Count)
	}
	if err != nil {
		return fail.New(fail.BadInput, "import %v: its slices: %w", r.Ref(), err).
			WithHint("nothing was written; this archive was changed after hone wrote it")
	}
	name := slicesName(r.Run.ID)
	in.files = append(in.files, name)
	in.written += uint64(len(data))
	return placeFile(in.l.home, name, data)
}

// storeRecords gives the records their places and writes them.
func (in *importer) storeRecords(fresh []*Record) error {
	now := in.l.opts.Now().UTC()
	for _, r := range fresh {
		own := r.At(in.l.nextSeq(), &Origin{Host: r.Origin().Host, Imported: now})
		if own.Comparison != nil {
			own.Comparison.Runs = nil
		}
		in.ids = append(in.ids, own.Ref().ID)
		if err := in.l.store(own); err != nil {
			return err
		}
	}
	return nil
}

// undo removes what was written, as best it can: files that no record names do no harm.
func (in *importer) undo() {
	in.l.mu.Lock()
	defer in.l.mu.Unlock()
	for _, id := range in.ids {
		_ = in.l.home.RemoveAll(headName(id))
		in.l.known.remove(id)
	}
	for _, name := range in.files {
		_ = in.l.home.RemoveAll(name)
	}
}
