package rpc

import (
	"encoding/binary"
	"math"
)

// AppendText appends s to dst as a msgpack string, in the shortest form, as the library
// does. It is for messages that implement MsgpackAppender.
func AppendText(dst []byte, s string) []byte {
	switch n := len(s); {
	case n < 32:
		dst = append(dst, 0xa0|byte(n))
	case n <= math.MaxUint8:
		dst = append(dst, 0xd9, byte(n))
	case n <= math.MaxUint16:
		dst = binary.BigEndian.AppendUint16(append(dst, 0xda), uint16(n))
	default:
		dst = binary.BigEndian.AppendUint32(append(dst, 0xdb), uint32(n))
	}
	return append(dst, s...)
}

// ReadText reads the msgpack string at the front of b; ok is false if there is none, or
// not all of it. text aliases b. It is for messages that implement MsgpackDecoder.
func ReadText(b []byte) (text, rest []byte, ok bool) {
	if len(b) == 0 {
		return nil, nil, false
	}
	var size uint8
	switch c := b[0]; {
	case c&0xe0 == 0xa0:
		if n := 1 + int(c&0x1f); n <= len(b) {
			return b[1:n], b[n:], true
		}
		return nil, nil, false
	case c == 0xd9:
		size = 1
	case c == 0xda:
		size = 2
	case c == 0xdb:
		size = 4
	default:
		return nil, nil, false
	}
	n, ok := bigEndian(b[1:], size)
	b = b[min(1+int(size), len(b)):]
	if !ok || n > uint64(len(b)) {
		return nil, nil, false
	}
	return b[:n], b[n:], true
}
