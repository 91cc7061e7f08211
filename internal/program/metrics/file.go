package metrics

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"time"

	"github.com/klauspost/compress/zstd"
)

// A file of scrapes is a line of JSON, the Header, and then records, one after the other:
//
//	4 bytes  length of what follows the next field, little-endian
//	4 bytes  its CRC-32C (Castagnoli)
//	...      scrapes, compressed with Zstandard (RFC 8878)
//
// A scrape is, each number as a varint and each text with its length before it: milliseconds since 1970, microseconds
// that it took, a sum of flags (1: up, 2: last), job, instance, families.
//
// While a run goes on each scrape is a record, so that a kill costs the last one at most. Of a run that is over a
// record holds many scrapes, which are much alike and so compress to a few bytes per series and scrape.

// Header is the first line of a file.
type Header struct {
	Schema string `json:"schema"`
	Run    string `json:"run"`
	// Variant is the letter in a comparison, else empty.
	Variant  string        `json:"variant,omitempty"`
	Interval time.Duration `json:"interval_ns"`
}

// FileSchema is the version of the format.
const FileSchema = "hone.scrapes/1"

// Bounds of a file: of its first line, of one record as it lies there and unpacked.
const (
	maxHeader   = 4 << 10
	maxRecord   = 16 << 20
	maxUnpacked = 64 << 20
	// packed is about how many bytes of scrapes make a record of a run that is over.
	packed = 4 << 20
)

const (
	flagUp = 1 << iota
	flagLast
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (s Scrape) append(to []byte) []byte {
	flags := uint64(0)
	if s.Up {
		flags |= flagUp
	}
	if s.Last {
		flags |= flagLast
	}
	to = binary.AppendUvarint(to, uint64(s.At.UnixMilli()))
	to = binary.AppendUvarint(to, uint64(max(0, s.Took.Microseconds())))
	to = binary.AppendUvarint(to, flags)
	for _, text := range [][]byte{[]byte(s.Job), []byte(s.Instance), s.Families} {
		to = append(binary.AppendUvarint(to, uint64(len(text))), text...)
	}
	return to
}

var errShort = errors.New("a scrape ends too early")

// parseScrape is the inverse of append. Families is a part of raw.
func parseScrape(raw []byte) (s Scrape, rest []byte, err error) {
	number := func() (v uint64) {
		v, n := binary.Uvarint(raw)
		if n <= 0 {
			err, raw = errShort, nil
			return 0
		}
		raw = raw[n:]
		return v
	}
	text := func() (b []byte) {
		n := number()
		if n > uint64(len(raw)) {
			err, raw = errShort, nil
			return nil
		}
		b, raw = raw[:n:n], raw[n:]
		return b
	}
	s.At, s.Took = time.UnixMilli(int64(number())), time.Duration(number())*time.Microsecond
	flags := number()
	s.Up, s.Last = flags&flagUp != 0, flags&flagLast != 0
	s.Job, s.Instance, s.Families = string(text()), string(text()), text()
	return s, raw, err
}

// writer appends records to a file.
type writer struct {
	to   io.Writer
	zstd *zstd.Encoder
}

func newWriter(to io.Writer) (*writer, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	return &writer{to, z}, err
}

func (w *writer) header(h Header) error {
	h.Schema = FileSchema
	line, err := json.Marshal(h)
	if err != nil {
		return err
	}
	_, err = w.to.Write(append(line, '\n'))
	return err
}

// record writes scrapes in one call, so that a full disk leaves the start of one record at most.
func (w *writer) record(scrapes []byte) error {
	out := w.zstd.EncodeAll(scrapes, make([]byte, 8, 8+len(scrapes)/4))
	binary.LittleEndian.PutUint32(out, uint32(len(out)-8))
	binary.LittleEndian.PutUint32(out[4:], crc32.Checksum(out[8:], castagnoli))
	_, err := w.to.Write(out)
	return err
}

// File is a file of scrapes that is read.
type File struct {
	Header
	in *bufio.Reader
	// whole is how far the file is whole, in bytes.
	whole int64
}

// errTorn is the end of a file in the middle of a record, or a record that is not as it was written.
var errTorn = errors.New("the file of scrapes is damaged")

// Read reads the header of a file.
func Read(from io.Reader) (*File, error) {
	f := &File{in: bufio.NewReaderSize(from, maxHeader)}
	line, err := f.in.ReadSlice('\n')
	if err != nil {
		return nil, fmt.Errorf("%w: its first line has no end", errTorn)
	}
	if err := json.Unmarshal(line, &f.Header); err != nil {
		return nil, fmt.Errorf("%w: its first line: %w", errTorn, err)
	}
	if f.Schema != FileSchema {
		return nil, fmt.Errorf("the file of scrapes has schema %.40q, and this hone reads %q", f.Schema, FileSchema)
	}
	f.whole = int64(len(line))
	return f, nil
}

// All are the scrapes, in the order in which they were taken of each target. An error ends them: what came before is
// whole. A scrape's families may be kept.
func (f *File) All() iter.Seq2[Scrape, error] {
	return func(yield func(Scrape, error) bool) {
		unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxUnpacked))
		if err != nil {
			yield(Scrape{}, err)
			return
		}
		defer unpack.Close()
		for {
			raw, size, err := f.record(unpack)
			if errors.Is(err, io.EOF) {
				return
			}
			for err == nil && len(raw) > 0 {
				var s Scrape
				if s, raw, err = parseScrape(raw); err == nil && !yield(s, nil) {
					return
				}
			}
			if err != nil {
				yield(Scrape{}, fmt.Errorf("%w after %d bytes: %w", errTorn, f.whole, err))
				return
			}
			f.whole += size
		}
	}
}

// record reads a record and unpacks it; io.EOF is the end of the file. size is that in the file.
func (f *File) record(unpack *zstd.Decoder) (raw []byte, size int64, err error) {
	var head [8]byte
	if _, err := io.ReadFull(f.in, head[:]); err != nil {
		return nil, 0, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > maxRecord {
		return nil, 0, fmt.Errorf("a record of %d bytes", n)
	}
	data := make([]byte, n)
	if _, err := io.ReadFull(f.in, data); err != nil {
		return nil, 0, io.ErrUnexpectedEOF
	}
	if crc32.Checksum(data, castagnoli) != binary.LittleEndian.Uint32(head[4:]) {
		return nil, 0, errors.New("a record has another checksum")
	}
	raw, err = unpack.DecodeAll(data, nil)
	return raw, int64(len(head) + len(data)), err
}
