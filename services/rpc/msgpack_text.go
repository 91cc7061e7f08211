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
	head := 1 // in front of the text, in bytes
	switch c := b[0]; {
	case c&0xe0 == 0xa0:
	case c >= 0xd9 && c <= 0xdb:
		head += int(msgpackFormats[c-0xc0].lengthBytes)
	default:
		return nil, nil, false
	}
	size, _, err := msgpackItem(b)
	if err != nil {
		return nil, nil, false
	}
	return b[head:size], b[size:], true
}
