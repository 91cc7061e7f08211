package logpack

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
)

// ErrDamaged says that a block is not what was written.
var ErrDamaged = errors.New("logpack: the block is damaged")

// Each calls f for each line of packed blocks.
func Each(packed []byte, f func(line []byte)) error {
	var plain bytes.Buffer
	for len(packed) > 0 {
		if len(packed) < 8 {
			return ErrDamaged
		}
		n, sum := binary.LittleEndian.Uint32(packed), binary.LittleEndian.Uint32(packed[4:])
		packed = packed[8:]
		if int(n) > len(packed) {
			return ErrDamaged
		}
		plain.Reset()
		if _, err := io.Copy(&plain, flate.NewReader(bytes.NewReader(packed[:n]))); err != nil {
			return err
		}
		if checksum(plain.Bytes()) != sum {
			return ErrDamaged
		}
		packed = packed[n:]
		for rest := plain.Bytes(); len(rest) > 0; {
			line, after, _ := bytes.Cut(rest, []byte("\n"))
			f(line)
			rest = after
		}
	}
	return nil
}
