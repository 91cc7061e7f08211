package ledger

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/gohone/hone/internal/fail"
	sqlite3 "modernc.org/sqlite/lib"
)

// Imported says what Import did.
type Imported struct {
	// Added are new, Kept were there already, with the same content.
	Added []Ref `json:"added,omitempty"`
	Kept  []Ref `json:"kept,omitempty"`
}

// Import stores the runs and comparisons of an archive, all or none. Each goes to the end
// of the order of arrival, with the time of the import in its origin. blob opens the bytes
// with a SHA-256 that an artefact of the records has. The comparison of each run must be
// among the records. fail.BadInput: a name is taken by something else, or a row cannot
// hold what a record says.
//
// The files are written first, then the records, then all rows in one transaction. A hone
// that is killed in between leaves files without rows, and maybe whole records, of which
// the next writer makes the rows.
func (l *Ledger) Import(records []*Record, blob func(sum string) (io.ReadCloser, error)) (Imported, error) {
	in := &importer{l: l}
	fresh, err := in.sort(records)
	if err != nil || len(fresh) == 0 {
		return in.Imported, err
	}
	err = in.storeBlobs(fresh, blob)
	if err == nil {
		err = l.inTx(func(tx *sql.Tx) error { return in.storeRecords(tx, fresh) })
	}
	if err != nil && in.committed(fresh[0].Ref()) {
		return in.Imported, nil // what failed is the tidying behind it, which a later writer does
	}
	if err != nil {
		in.undo()
		if sqliteCode(err)&0xff == sqlite3.SQLITE_CONSTRAINT {
			return Imported{}, fail.New(fail.BadInput, "import: a row cannot hold what a record says: %w", err).
				WithHint("nothing was written; hone did not make this archive as it is")
		}
		return Imported{}, storageNeed(l.dir, in.written, err, "import %d runs and comparisons", len(fresh))
	}
	return in.Imported, nil
}

// importer is the work of one import.
type importer struct {
	Imported
	l *Ledger
	// files and kept are what was written, to be removed if the import fails.
	files   []string
	kept    []*Record
	written uint64 // bytes of the files
}

// sort tells the records that are new from those that the ledger has.
func (in *importer) sort(records []*Record) (fresh []*Record, err error) {
	for _, r := range slices.SortedStableFunc(slices.Values(records), CompareRecords) {
		ref := r.Ref()
		there, err := in.l.withPrefix(ref.ID)
		if err != nil {
			return nil, storage(in.l.dir, err, "look for %v", ref)
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
			return nil, fail.New(fail.BadInput, "import %v: the ledger has another %s of that name", ref, there[0].Kind).
				WithHint("nothing was written; import into a ledger of its own: --ledger DIRECTORY")
		}
		in.Kept = append(in.Kept, ref)
	}
	return fresh, nil
}

// storeBlobs writes the artefacts of the records, each content once.
func (in *importer) storeBlobs(fresh []*Record, blob func(string) (io.ReadCloser, error)) error {
	done := map[string]bool{}
	for _, r := range fresh {
		for _, a := range r.Artefacts {
			if done[a.SHA256] {
				continue
			}
			done[a.SHA256] = true
			if err := in.storeBlob(a, blob); err != nil {
				return fmt.Errorf("store %v: %w", a, err)
			}
		}
	}
	return nil
}

func (in *importer) storeBlob(a Artefact, blob func(string) (io.ReadCloser, error)) error {
	name, err := BlobName(a.SHA256)
	if err != nil {
		return err
	}
	if _, err := in.l.home.Stat(name); errors.Is(err, fs.ErrNotExist) {
		in.files = append(in.files, name)
	} else if err != nil {
		return err
	}
	data, err := blob(a.SHA256)
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

// storeRecords makes the rows, and writes the records from them. Comparisons come first:
// the rows of their runs refer to them, also when a later writer makes the rows.
func (in *importer) storeRecords(tx *sql.Tx, fresh []*Record) error {
	for _, r := range fresh {
		last, err := lastSeq(tx, r.Ref().Kind)
		if err != nil {
			return err
		}
		o := *r.Origin()
		o.Imported = in.l.opts.Now().UTC()
		if err := insertRecord(tx, r.At(last+1, &o), ""); err != nil {
			return err
		}
	}
	for _, r := range fresh {
		ref := r.Ref()
		own, err := keepRecord(tx, in.l.home, ref)
		if own != nil {
			in.kept = append(in.kept, own)
		}
		if err != nil {
			return err
		}
		if same, err := sameMeasurement(own, r); err != nil {
			return err
		} else if !same {
			return fail.New(fail.BadInput, "import %v: its record says what a row cannot hold", ref).
				WithHint("nothing was written; hone did not make this archive as it is")
		}
	}
	return nil
}

// lastSeq is the last place in the order of arrival that was ever taken.
func lastSeq(tx *sql.Tx, kind Kind) (last int64, err error) {
	err = tx.QueryRow(`SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?), 0),
		coalesce((SELECT max(seq) FROM `+kind.table()+`), 0))`, kind.table()).Scan(&last)
	return last, err
}

// committed says whether the rows are there: then the files behind them must stay.
func (in *importer) committed(ref Ref) bool {
	there, err := in.l.withPrefix(ref.ID)
	return err != nil || len(there) > 0
}

// undo removes what was written, as best it can: files without rows do no harm.
func (in *importer) undo() {
	for _, r := range slices.Backward(in.kept) {
		removeRecord(in.l.home, r)
	}
	for _, name := range in.files {
		_ = in.l.home.RemoveAll(name)
	}
}
