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
	c := b[0]
	if c&0xe0 == 0xa0 { // up to 31 bytes, as most are
		n := 1 + int(c&0x1f)
		if n > len(b) {
			return nil, nil, false
		}
		return b[1:n], b[n:], true
	}
	size, _, err := msgpackItem(b)
	if c < 0xd9 || c > 0xdb || err != nil {
		return nil, nil, false
	}
	head := 1 + int(msgpackFormats[c-0xc0].lengthBytes)
	return b[head:size], b[size:], true
}
