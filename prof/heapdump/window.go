package heapdump

import (
	"encoding/binary"
	"io"
)

// window is a part of a file in memory, which moves along it.
type window struct {
	r    io.ReaderAt
	size int64 // of the file
	buf  []byte
	base int64 // where buf begins in the file
}

// at returns n bytes at a place of the file, or fewer at its end. They are valid until the next call.
func (w *window) at(off int64, n int) ([]byte, error) {
	if in := off - w.base; in >= 0 && in+int64(n) <= int64(len(w.buf)) {
		return w.buf[in : in+int64(n)], nil
	}
	if off < 0 || off >= w.size {
		return nil, nil
	}
	w.base, w.buf = off, w.buf[:min(int64(cap(w.buf)), w.size-off)]
	got, err := w.r.ReadAt(w.buf, off)
	if w.buf = w.buf[:got]; err == io.EOF {
		err = nil
	}
	return w.buf[:min(n, got)], err
}

// uvarint reads a number at a place of the file, and says how many bytes it takes; 0 if there is none.
func (w *window) uvarint(off int64) (v uint64, n int, err error) {
	if in := off - w.base; in >= 0 && in < int64(len(w.buf)) && w.buf[in] < 0x80 {
		return uint64(w.buf[in]), 1, nil
	}
	b, err := w.at(off, binary.MaxVarintLen64)
	v, n = binary.Uvarint(b)
	return v, max(n, 0), err
}
