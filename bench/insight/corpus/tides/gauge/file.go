// Package gauge reads files of tide gauges.
package gauge

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// Record is the level at a minute.
type Record struct {
	Minute int64
	Level  float64
	Wind   float32
	Flags  uint32
}

const recordSize = 24

// Reader reads records from a place in a file on.
type Reader struct{ f *os.File }

// Open opens a file at its n-th record.
func Open(name string, n int) (*Reader, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(int64(n)*recordSize, io.SeekStart); err != nil {
		f.Close()
		return nil, err
	}
	return &Reader{f: f}, nil
}

// Next returns the next record, or io.EOF.
func (g *Reader) Next() (r Record, err error) {
	if err := binary.Read(g.f, binary.LittleEndian, &r); err != nil {
		return r, err
	}
	return r, nil
}

// Close closes the file.
func (g *Reader) Close() error { return g.f.Close() }

// Read returns up to n records from a file.
func Read(name string, from, n int) ([]Record, error) {
	g, err := Open(name, from)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	records := make([]Record, 0, n)
	for len(records) < n {
		r, err := g.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("record %d: %w", from+len(records), err)
		}
		records = append(records, r)
	}
	return records, nil
}
