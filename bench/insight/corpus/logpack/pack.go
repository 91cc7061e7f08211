// Package logpack packs log lines into compressed blocks that can be read one by one.
package logpack

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"io"
)

const blockSize = 128 << 10

// A Packer writes blocks. Each has its length, the checksum of what it holds, and the packed lines.
type Packer struct {
	out     io.Writer
	pending bytes.Buffer
	packed  bytes.Buffer
	flate   *flate.Writer
	header  [8]byte
}

// NewPacker makes a packer that writes to w.
func NewPacker(w io.Writer) (*Packer, error) {
	p := &Packer{out: w}
	f, err := flate.NewWriter(&p.packed, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	p.flate = f
	return p, nil
}

// Write adds a line, and writes a block if one is full.
func (p *Packer) Write(line []byte) (int, error) {
	p.pending.Write(line)
	p.pending.WriteByte('\n')
	if p.pending.Len() < blockSize {
		return len(line), nil
	}
	return len(line), p.Flush()
}

// Flush writes what there is as a block.
func (p *Packer) Flush() error {
	if p.pending.Len() == 0 {
		return nil
	}
	p.packed.Reset()
	p.flate.Reset(&p.packed)
	if _, err := p.flate.Write(p.pending.Bytes()); err != nil {
		return err
	}
	if err := p.flate.Close(); err != nil {
		return err
	}
	binary.LittleEndian.PutUint32(p.header[:4], uint32(p.packed.Len()))
	binary.LittleEndian.PutUint32(p.header[4:], checksum(p.pending.Bytes()))
	p.pending.Reset()
	if _, err := p.out.Write(p.header[:]); err != nil {
		return err
	}
	_, err := p.out.Write(p.packed.Bytes())
	return err
}

func checksum(b []byte) uint32 { return crc32.ChecksumIEEE(b) }
