package ledger

import (
	"bytes"
	"database/sql"
	"errors"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/fail"
)

// exported are the records of a ledger as an archive has them, and how to open their blobs.
func exported(t *testing.T, l *Ledger) (records []*Record, blob func(string) (io.ReadCloser, error)) {
	t.Helper()
	rows, err := l.db.Query(`SELECT 'comparison', id FROM comparisons UNION ALL SELECT 'run', id FROM runs`)
	all, err := collect(rows, err, func(r *sql.Rows) (ref Ref, err error) { return ref, r.Scan(&ref.Kind, &ref.ID) })
	if err != nil {
		t.Fatal(err)
	}
	blobs := map[string]Artefact{}
	for _, ref := range all {
		r, err := l.Record(ref)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range r.Artefacts {
			blobs[a.SHA256] = a
		}
		records = append(records, r.At(r.Seq, &Origin{Host: "elsewhere"}))
	}
	return records, func(sum string) (io.ReadCloser, error) {
		data, err := l.ReadArtefact(blobs[sum])
		return io.NopCloser(bytes.NewReader(data)), err
	}
}

// An import that fails at any point leaves the ledger as it was: no file, record or row
// more. What it would have stored can be imported afterwards.
func TestFailedImportLeavesNothing(t *testing.T) {
	from := mustOpen(t, filepath.Join(t.TempDir(), "from"))
	for i := range 2 {
		storeSmall(t, from, i)
	}
	records, blob := exported(t, from)
	dir := filepath.Join(t.TempDir(), "to")
	to := mustOpen(t, dir)
	storeSmall(t, to, 9)
	before := storedFiles(t, dir)
	broken := errors.New("the disk is gone")
	for n := 0; ; n++ { // the blob number n does not come
		left := n
		_, err := to.Import(records, func(sum string) (io.ReadCloser, error) {
			if left--; left < 0 {
				return io.NopCloser(io.MultiReader(strings.NewReader("half"), failingReader{broken})), nil
			}
			return blob(sum)
		})
		if err == nil {
			if n < 2 {
				t.Fatalf("only %d blobs were asked for", n)
			}
			break
		}
		if fail.ExitCode(err) != int(fail.Storage) || !errors.Is(err, broken) {
			t.Fatal(err)
		}
		if after := storedFiles(t, dir); !maps.Equal(before, after) {
			t.Fatalf("blob %d: files were %q, are %q", n, slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
		}
	}
	for _, r := range records {
		if got, err := to.Record(r.Ref()); err != nil || got.Origin() == nil {
			t.Errorf("%v: %+v, %v", r.Ref(), got, err)
		}
	}
}

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }

// storedFiles are the blobs and records in dir.
func storedFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := readFiles(t, dir)
	maps.DeleteFunc(all, func(name, _ string) bool {
		return !strings.HasPrefix(name, "blobs/") && !strings.HasPrefix(name, "records/") && !strings.HasPrefix(name, "tmp/")
	})
	return all
}

// A record that no row can hold is the archive's fault: SQLite's JSON is at most 1,000
// levels deep, Go's 10,000.
func TestImportOfWhatNoRowHolds(t *testing.T) {
	from := mustOpen(t, filepath.Join(t.TempDir(), "from"))
	storeSmall(t, from, 1)
	records, blob := exported(t, from)
	last := records[len(records)-1]
	last.Doc = strings.Repeat("[", 2000) + strings.Repeat("]", 2000)
	if err := last.check(); err != nil {
		t.Fatalf("the record is refused before: %v", err)
	}
	dir := filepath.Join(t.TempDir(), "to")
	to := mustOpen(t, dir)
	_, err := to.Import(records, blob)
	if fail.ExitCode(err) != int(fail.BadInput) {
		t.Errorf("error %v", err)
	}
	if files := storedFiles(t, dir); len(files) > 0 {
		t.Errorf("files %q are left", slices.Sorted(maps.Keys(files)))
	}
}

// A hone that is killed between the records and the rows of an import: the next writer
// makes the rows, and the import can be repeated.
func TestKilledImport(t *testing.T) {
	from := mustOpen(t, filepath.Join(t.TempDir(), "from"))
	storeSmall(t, from, 1)
	records, blob := exported(t, from)
	dir := filepath.Join(t.TempDir(), "to")
	to := mustOpen(t, dir)
	in := &importer{l: to}
	fresh, err := in.sort(records)
	if err == nil {
		err = in.storeBlobs(fresh, blob)
	}
	if err != nil {
		t.Fatal(err)
	}
	tx, err := to.db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := in.storeRecords(tx, fresh); err != nil {
		t.Fatal(err)
	}
	died := readFiles(t, dir)
	delete(died, lockName) // its text names a process that lives
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	for _, missing := range []string{"", fresh[len(fresh)-1].Ref().ID} {
		dir := filepath.Join(t.TempDir(), "died")
		files := maps.Clone(died)
		maps.DeleteFunc(files, func(name, _ string) bool { return missing != "" && strings.HasPrefix(name, "records/"+missing) })
		putFiles(t, dir, files)
		next := mustOpen(t, dir)
		done, err := next.Import(records, blob)
		if err != nil {
			t.Fatalf("without record %q: %v", missing, err)
		}
		if want := len(files) - len(died); len(done.Kept) != len(records)+want || len(done.Added) != -want {
			t.Errorf("without record %q: %+v", missing, done)
		}
		report, err := next.Verify(t.Context())
		if err = errors.Join(err, report.Err()); err != nil {
			t.Errorf("without record %q: %v", missing, err)
		}
	}
}

// A record that lists more than its text can hold is refused before it is decoded.
func TestDenseRecordIsRefused(t *testing.T) {
	dense := `{"schema":"hone.record/1","seq":1,"run":{},"slices":[` + strings.Repeat("null,", 10_000) + `null]}`
	if _, err := decodeRecord([]byte(dense)); err == nil || !strings.Contains(err.Error(), "it lists") {
		t.Errorf("error %v", err)
	}
	real, _, err := (&Record{Schema: recordSchema, Seq: 1, Run: &Run{}, Slices: make([]Slice, 10_000), Doc: strings.Repeat(",", 10_000)}).encode()
	if err == nil {
		err = checkDensity(real)
	}
	if err != nil {
		t.Error(err)
	}
}
