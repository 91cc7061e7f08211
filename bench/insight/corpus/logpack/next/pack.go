// Package logpack packs log lines into compressed blocks that can be read one by one.
package logpack

import (
	"bytes"
	"io"
)

const blockSize = 128 << 10

// A Packer writes blocks of lines.
type Packer struct {
	out   io.Writer
	level int
	lines bytes.Buffer
	block block
}

// NewPacker makes a packer that writes to w as fast as it can.
func NewPacker(w io.Writer) (*Packer, error) { return NewPackerLevel(w, fastest) }

// NewPackerLevel makes a packer with a level of compress/flate.
func NewPackerLevel(w io.Writer, level int) (*Packer, error) {
	p := &Packer{out: w, level: level}
	if err := p.block.fill(nil, level); err != nil {
		return nil, err
	}
	return p, nil
}

// Write adds a line, and writes a block if one is full.
func (p *Packer) Write(line []byte) (int, error) {
	p.lines.Write(line)
	p.lines.WriteByte('\n')
	var err error
	if p.lines.Len() >= blockSize {
		err = p.Flush()
	}
	return len(line), err
}

// Flush writes what there is as a block.
func (p *Packer) Flush() error {
	if p.lines.Len() == 0 {
		return nil
	}
	defer p.lines.Reset()
	if err := p.block.fill(p.lines.Bytes(), p.level); err != nil {
		return err
	}
	return p.block.writeTo(p.out)
}
