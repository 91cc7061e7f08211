package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io/fs"
	"os"
	"path"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/sys/storedir"
)

// The slices of a run are appended to a file of lines:
//
//	1a2b3c4d [{"index":0,...},{"index":1,...}]
//
// A line holds what one call of AddSlices gave, after the CRC-32C of the run's id, of all lines before and
// of its own JSON. So a line is there whole or not at all, a torn end is told from what was
// synced, and no line passes for one of another run or place. When the run ends its record
// keeps the size and the SHA-256 of its lines; what stands after them is not read.

// SliceFile is what the record of a run knows of the file of its slices; zero: it has none.
type SliceFile struct {
	Count  int    `json:"count"`
	Size   int64  `json:"size"` // bytes
	SHA256 string `json:"sha256"`
}

func (s SliceFile) check() error {
	if s != (SliceFile{}) && (s.Count < 0 || s.Size < 1 || !isSum(s.SHA256)) {
		return errors.New("what it says of its slices is impossible")
	}
	return nil
}

// is says what is wrong with these bytes of the file, if anything.
func (s SliceFile) is(data []byte) error {
	if int64(len(data)) != s.Size {
		return fmt.Errorf("%w: %d bytes, stored were %d", errDamaged, len(data), s.Size)
	}
	if got := sumOf(data); got != s.SHA256 {
		return fmt.Errorf("%w: its SHA-256 is %s", errDamaged, got)
	}
	return nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// crcBytes is what stands before the JSON of a line: the CRC in hex digits and a space.
const crcBytes = 9

// sliceWriter appends to the file of a run.
type sliceWriter struct {
	home  *storedir.Dir
	id    string
	f     *os.File // nil before the first line
	taken map[int]bool
	crc   uint32
	sum   hash.Hash
	SliceFile
}

func newSliceWriter(home *storedir.Dir, id string) *sliceWriter {
	return &sliceWriter{home: home, id: id, taken: map[int]bool{}, crc: crc32.Checksum([]byte(id), castagnoli),
		sum: sha256.New()}
}

// add appends slices, all or none. When it returns they are on the disk.
func (w *sliceWriter) add(all []packed.Slice) error {
	indices := map[int]bool{}
	for _, s := range all {
		if w.taken[s.Index] || indices[s.Index] {
			return fmt.Errorf("slice %d is there twice", s.Index)
		}
		indices[s.Index] = true
	}
	text, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("encode slices: %w", err)
	}
	crc := crc32.Update(w.crc, castagnoli, text)
	line := fmt.Appendf(make([]byte, 0, len(text)+crcBytes+1), "%08x %s\n", crc, text)
	if err := w.write(line); err != nil {
		return err
	}
	w.crc = crc
	w.sum.Write(line)
	w.Size, w.Count, w.SHA256 = w.Size+int64(len(line)), w.Count+len(all), hex.EncodeToString(w.sum.Sum(nil))
	for index := range indices {
		w.taken[index] = true
	}
	return nil
}

// write puts a line after the others and syncs it. What a failed write leaves there is not read, and the next one
// goes over it.
func (w *sliceWriter) write(line []byte) (err error) {
	if w.f == nil {
		if w.f, err = w.home.Create(slicesName(w.id)); err != nil {
			return err
		}
		if err := w.home.Sync(path.Dir(slicesName(w.id))); err != nil {
			return err
		}
	}
	_, err = w.f.WriteAt(line, w.Size)
	if err == nil {
		err = w.f.Sync()
	}
	if err != nil {
		_ = w.f.Truncate(w.Size) // on a full disk the record of the end needs the space
	}
	return err
}

func (w *sliceWriter) close() error {
	if w.f == nil {
		return nil
	}
	return w.f.Close()
}

// readSlices reads the slices of a run that has ended, as bytes; nil if it has none.
func readSlices(home *storedir.Dir, r *Record) ([]byte, error) {
	if r.Slices == (SliceFile{}) {
		return nil, nil
	}
	data, err := readStart(home, slicesName(r.Run.ID), r.Slices.Size)
	if err != nil {
		return nil, err
	}
	return data, r.Slices.is(data)
}

// readWholeSlices reads the slices of a run that goes on, or of a dead writer, up to the first line that is not whole.
func readWholeSlices(home *storedir.Dir, id string) ([]packed.Slice, SliceFile, error) {
	data, err := readFile(home, slicesName(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, SliceFile{}, nil
	}
	if err != nil {
		return nil, SliceFile{}, err
	}
	all, size, _ := parseSlices(id, data)
	if size == 0 {
		return nil, SliceFile{}, nil
	}
	return all, SliceFile{len(all), int64(size), sumOf(data[:size])}, nil
}

// decodeSlices reads so many slices. The content is not trusted.
func decodeSlices(id string, data []byte, count int) ([]packed.Slice, error) {
	all, _, err := parseSlices(id, data)
	if err == nil {
		err = checkIndices(all)
	}
	if err == nil && len(all) != count {
		err = fmt.Errorf("%w: it holds %d slices, stored were %d", errDamaged, len(all), count)
	}
	return all, err
}

// parseSlices reads lines up to the first that is not whole, which is the error. size is where that begins.
func parseSlices(id string, data []byte) (all []packed.Slice, size int, err error) {
	crc := crc32.Checksum([]byte(id), castagnoli)
	for size < len(data) {
		line, _, cut := bytes.Cut(data[size:], []byte("\n"))
		if !cut || len(line) < crcBytes {
			return all, size, fmt.Errorf("%w: the line at byte %d is cut off", errDamaged, size)
		}
		text := line[crcBytes:]
		next := crc32.Update(crc, castagnoli, text)
		if string(line[:crcBytes]) != fmt.Sprintf("%08x ", next) {
			return all, size, fmt.Errorf("%w: the line at byte %d does not have its checksum", errDamaged, size)
		}
		if err := checkDensity(text, 1, listedSlice); err != nil {
			return all, size, err
		}
		var batch []packed.Slice
		if err := json.Unmarshal(text, &batch); err != nil {
			return all, size, fmt.Errorf("%w: the line at byte %d: %w", errDamaged, size, err)
		}
		all, crc, size = append(all, batch...), next, size+len(line)+1
	}
	return all, size, nil
}
