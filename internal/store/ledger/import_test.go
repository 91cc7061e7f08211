package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// exported are the records of a ledger as an archive has them, and how to open their blobs.
func exported(t *testing.T, l *Ledger) (records []*Record, blob func(string) (io.ReadCloser, error)) {
	t.Helper()
	blobs := map[string]Artefact{}
	lists := map[string][]byte{}
	for _, known := range l.known.records {
		r, err := l.Record(known.Ref())
		if err != nil {
			t.Fatal(err)
		}
		if r.Slices.Size > 0 {
			if lists[r.Slices.SHA256], err = l.SliceBytes(r); err != nil {
				t.Fatal(err)
			}
		}
		for _, a := range r.Artefacts {
			blobs[a.SHA256] = a
		}
		records = append(records, r.At(r.Seq, &Origin{Host: "elsewhere"}))
	}
	return records, func(sum string) (io.ReadCloser, error) {
		data, err := lists[sum], error(nil)
		if data == nil {
			data, err = l.ReadArtefact(blobs[sum])
		}
		return io.NopCloser(bytes.NewReader(data)), err
	}
}

// An import that fails at any point leaves the ledger as it was: no file more. What it would have stored can be
// imported afterwards.
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
			t.Fatalf("blob %d: files were %q, are %q", n, slices.Sorted(maps.Keys(before)),
				slices.Sorted(maps.Keys(after)))
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
		return !strings.HasPrefix(name, "blobs/") && !strings.HasPrefix(name, "records/") &&
			!strings.HasPrefix(name, "tmp/")
	})
	return all
}

// Slices that are not what their record says are the archive's fault.
func TestImportOfOtherSlices(t *testing.T) {
	from := mustOpen(t, filepath.Join(t.TempDir(), "from"))
	storeSmall(t, from, 1)
	records, blob := exported(t, from)
	dir := filepath.Join(t.TempDir(), "to")
	to := mustOpen(t, dir)
	for name, change := range map[string]func(r *Record, data []byte) []byte{
		"torn":          func(_ *Record, data []byte) []byte { return data[:len(data)-1] },
		"another count": func(r *Record, data []byte) []byte { r.Slices.Count++; return data },
		"of another run": func(_ *Record, data []byte) []byte {
			w := newSliceWriter(to.home, "00000000")
			_, size, _ := parseSlices(w.id, data)
			return data[size:]
		},
		"dense": func(*Record, []byte) []byte { return []byte("[" + strings.Repeat("{},", 10_000) + "{}]") },
	} {
		all := slices.Clone(records)
		i := slices.IndexFunc(all, func(r *Record) bool { return r.Run != nil })
		r := all[i].clone()
		data, err := from.SliceBytes(r)
		if err != nil {
			t.Fatal(err)
		}
		data = change(r, data)
		if name == "dense" {
			data = fmt.Appendf(nil, "%08x %s\n", crc32.Update(crc32.Checksum([]byte(r.Run.ID), castagnoli), castagnoli,
				data), data)
		}
		if name == "of another run" {
			r.Run.ID, r.Artefacts = "00000000", nil
		}
		r.Slices.Size, r.Slices.SHA256 = int64(len(data)), sumOf(data)
		all[i] = r
		_, err = to.Import(all, func(sum string) (io.ReadCloser, error) {
			if sum == r.Slices.SHA256 {
				return io.NopCloser(bytes.NewReader(data)), nil
			}
			return blob(sum)
		})
		if fail.ExitCode(err) != int(fail.BadInput) {
			t.Errorf("%s: error %v", name, err)
		}
		if files := storedFiles(t, dir); len(files) > 0 {
			t.Errorf("%s: files %q are left", name, slices.Sorted(maps.Keys(files)))
		}
	}
}

// A hone that is killed in the middle of an import: what it left is sound, or verify says that runs of a comparison
// are not there; and the same import again stores the rest.
func TestKilledImport(t *testing.T) {
	from := mustOpen(t, filepath.Join(t.TempDir(), "from"))
	storeSmall(t, from, 1)
	records, blob := exported(t, from)
	dir := filepath.Join(t.TempDir(), "to")
	to := mustOpen(t, dir)
	if _, err := to.Import(records, blob); err != nil {
		t.Fatal(err)
	}
	whole := readFiles(t, dir)
	delete(whole, lockName) // its text names a process that lives
	heads := slices.DeleteFunc(slices.Sorted(maps.Keys(whole)),
		func(name string) bool { return !strings.HasSuffix(name, headSuffix) })
	for n := range len(heads) + 1 { // how many are not there yet
		dir := filepath.Join(t.TempDir(), "died")
		files := maps.Clone(whole)
		for _, name := range heads[:n] {
			delete(files, name)
		}
		putFiles(t, dir, files)
		next := mustOpen(t, dir)
		done, err := next.Import(records, blob)
		if err != nil || len(done.Added) != n || len(done.Kept) != len(records)-n {
			t.Fatalf("without %d records: %+v, %v", n, done, err)
		}
		report, err := next.Verify(t.Context())
		if err = errors.Join(err, report.Err()); err != nil {
			t.Errorf("without %d records: %v", n, err)
		}
	}
}

// A record that lists more than its text can hold is refused before it is decoded.
func TestDenseRecordIsRefused(t *testing.T) {
	dense := `{"seq":1,"run":{},"artefacts":[` + strings.Repeat("null,", 10_000) + `null]}`
	if _, err := decodeRecord(seal(recordSchema, []byte(dense))); err == nil ||
		!strings.Contains(err.Error(), "it lists") {
		t.Errorf("error %v", err)
	}
	real, err := (&Record{Seq: 1, Run: &Run{}, Artefacts: make([]Artefact, 10_000),
		Doc: strings.Repeat(",", 10_000)}).encode()
	if err == nil {
		err = checkDensity(real, 2, listed)
	}
	if err != nil {
		t.Error(err)
	}
}

// So are slices.
func TestDenseSlicesAreRefused(t *testing.T) {
	text := "[" + strings.Repeat(`{"live":1},`, 10_000) + "{}]"
	crc := crc32.Update(crc32.Checksum([]byte("run"), castagnoli), castagnoli, []byte(text))
	if _, _, err := parseSlices("run", fmt.Appendf(nil, "%08x %s\n", crc, text)); err == nil ||
		!strings.Contains(err.Error(), "it lists") {
		t.Errorf("error %v", err)
	}
}
