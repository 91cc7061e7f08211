package ledger

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/gohone/hone/internal/storedir"
)

// Records are files of their own, so that damage of the database costs no run:
//
//	records/1a2b3c4d-SHA256.zst     JSON of a Record, compressed; SHA256 is that of the JSON
//	records/baselines.json          what is pinned: see baseline_file.go
//
// A record is written, synced and named before the row that says its run is finished
// is committed. So a finished row always has its record, and a record without a
// finished row is a run whose last commit did not come to the disk.

// maxRecord bounds the JSON of one record. A run of an hour in slices of 25 ms has
// 144,000 of them, of some 2 kB.
const maxRecord = 1 << 30

const recordSuffix = ".zst"

const recordsName = "records"

// RecordName is the name of the file that holds the record with this id and sum.
func RecordName(id, sum string) string { return id + "-" + sum + recordSuffix }

// parseRecordName is the inverse of RecordName.
func parseRecordName(name string) (id, sum string, ok bool) {
	stem, ok := strings.CutSuffix(name, recordSuffix)
	id, sum, cut := strings.Cut(stem, "-")
	return id, sum, ok && cut && checkIDs(id) == nil && isSum(sum)
}

// isSum says whether text is a SHA-256 in hex digits.
func isSum(text string) bool {
	_, err := BlobName(text)
	return err == nil
}

// pack compresses the JSON of a record.
func pack(text []byte) ([]byte, error) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return w.EncodeAll(text, nil), w.Close()
}

// unpack is the inverse of pack. It holds no more than most bytes.
func unpack(data []byte, most int64) ([]byte, error) {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(most)))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.DecodeAll(data, nil)
}

// DecodeRecord reads the content of a record's file and checks it against its name. It
// unpacks at most the given number of bytes, and returns how many. The content is not trusted.
func DecodeRecord(name string, data []byte, most int64) (r *Record, size int64, err error) {
	id, sum, ok := parseRecordName(name)
	if !ok {
		return nil, 0, fmt.Errorf("%.80q is not the name of a record", name)
	}
	text, err := unpack(data, most)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %w", errDamaged, err)
	}
	size = int64(len(text))
	if sumOf(text) != sum {
		return nil, size, fmt.Errorf("%w: its SHA-256 is %s", errDamaged, sumOf(text))
	}
	if r, err = decodeRecord(text); err != nil {
		return nil, size, err
	}
	if r.Ref().ID != id {
		return nil, size, fmt.Errorf("it is the record of %s", r.Ref().ID)
	}
	return r, size, nil
}

// writeRecord stores r in a file and returns its sum. When it returns, content and
// name are on the disk.
func writeRecord(home *storedir.Dir, r *Record) (sum string, err error) {
	text, sum, err := r.encode()
	if err != nil {
		return "", err
	}
	data, err := pack(text)
	if err != nil {
		return "", fmt.Errorf("compress record of %s: %w", r.Ref().ID, err)
	}
	return sum, placeFile(home, path.Join(recordsName, RecordName(r.Ref().ID, sum)), data)
}

// removeRecord removes the file of r as best it can.
func removeRecord(home *storedir.Dir, r *Record) {
	if _, sum, err := r.encode(); err == nil {
		_ = home.RemoveAll(path.Join(recordsName, RecordName(r.Ref().ID, sum)))
	}
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

// readRecord reads the record file of this name.
func readRecord(home *storedir.Dir, name string) (*Record, error) {
	data, err := readFile(home, path.Join(recordsName, name))
	if err != nil {
		return nil, err
	}
	r, _, err := DecodeRecord(name, data, maxRecord)
	return r, err
}

// recordFile is an entry of the directory of records.
type recordFile struct{ name, id, sum string }

// listRecords lists the files that have the name of a record, by id, and the names of
// all others.
func listRecords(home *storedir.Dir) (all []recordFile, strange []string, err error) {
	entries, err := home.ReadDir(recordsName) // sorted
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	for _, e := range entries {
		id, sum, ok := parseRecordName(e.Name())
		switch {
		case ok && e.Type().IsRegular():
			all = append(all, recordFile{e.Name(), id, sum})
		case e.Name() != baselinesName:
			strange = append(strange, e.Name())
		}
	}
	return all, strange, nil
}
