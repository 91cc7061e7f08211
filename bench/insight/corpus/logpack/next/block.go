package logpack

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"io"
)

const (
	fastest    = flate.BestSpeed
	headerSize = 8
)

// A block has its length, the checksum of what it holds, and the packed lines.
type block struct {
	bytes.Buffer
}

// fill packs lines into the block.
func (b *block) fill(lines []byte, level int) error {
	b.Reset()
	b.Write(make([]byte, headerSize))
	w, err := flate.NewWriter(b, level)
	if err != nil {
		return err
	}
	if _, err := w.Write(lines); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	header := b.Bytes()[:headerSize]
	binary.LittleEndian.PutUint32(header, uint32(b.Len()-headerSize))
	binary.LittleEndian.PutUint32(header[4:], checksum(lines))
	return nil
}

func (b *block) writeTo(w io.Writer) error {
	_, err := w.Write(b.Bytes())
	return err
}

func checksum(b []byte) uint32 { return crc32.ChecksumIEEE(b) }
