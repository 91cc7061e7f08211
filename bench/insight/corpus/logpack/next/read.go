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
	r := flate.NewReader(bytes.NewReader(nil))
	for len(packed) > 0 {
		body, sum, err := next(packed)
		if err != nil {
			return err
		}
		if err := r.(flate.Resetter).Reset(bytes.NewReader(body), nil); err != nil {
			return err
		}
		plain.Reset()
		if _, err := io.Copy(&plain, r); err != nil {
			return err
		}
		if checksum(plain.Bytes()) != sum {
			return ErrDamaged
		}
		packed = packed[headerSize+len(body):]
		eachLine(plain.Bytes(), f)
	}
	return nil
}

// next finds the first block of what is packed.
func next(packed []byte) (body []byte, sum uint32, err error) {
	if len(packed) < headerSize {
		return nil, 0, ErrDamaged
	}
	n := binary.LittleEndian.Uint32(packed)
	if int(n) > len(packed)-headerSize {
		return nil, 0, ErrDamaged
	}
	return packed[headerSize : headerSize+n], binary.LittleEndian.Uint32(packed[4:]), nil
}

func eachLine(text []byte, f func(line []byte)) {
	for len(text) > 0 {
		i := bytes.IndexByte(text, '\n')
		f(text[:i])
		text = text[i+1:]
	}
}
