package rpc

import (
	"encoding/binary"
	"math/bits"
)

// What the envelope needs of protobuf's wire format
// (protobuf.dev/programming-guides/encoding). A tag is fieldNumber<<3 | wire type.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5

	maxField = 1<<29 - 1 // largest field number
)

func appendVarint(dst []byte, v uint64) []byte {
	if v < 0x80 {
		return append(dst, byte(v))
	}
	return binary.AppendUvarint(dst, v)
}

// varintSize is the size of n as a varint, in bytes; n >= 0.
func varintSize(n int) int { return (bits.Len64(uint64(n)|1) + 6) / 7 }

// appendBytes appends a field of type string or bytes; an empty one is left out.
func appendBytes[T string | []byte](dst []byte, field byte, value T) []byte {
	if len(value) == 0 {
		return dst
	}
	return appendField(dst, field, value)
}

func appendField[T string | []byte](dst []byte, field byte, value T) []byte {
	dst = appendVarint(append(dst, field<<3|wireBytes), uint64(len(value)))
	return append(dst, value...)
}

// readVarint reads a varint of up to 10 bytes, canonical or not. n is 0 if there is
// none.
func readVarint(b []byte) (v uint64, n int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	if v, n = binary.Uvarint(b); n < 0 {
		return 0, 0 // more than 64 bits
	}
	return v, n
}

// readBytes reads a length and as many bytes. n is 0 if they are not all there.
func readBytes(b []byte) (value, rest []byte, n int) {
	length, n := readVarint(b)
	if n == 0 || length > uint64(len(b)-n) {
		return nil, nil, 0
	}
	end := n + int(length)
	return b[n:end:end], b[end:], n
}

// skipField skips the value of a field that the messages do not have. n is 0 for
// groups, bad tags and what is cut off.
func skipField(b []byte, tag uint64) (rest []byte, n int) {
	if number := tag >> 3; number == 0 || number > maxField {
		return nil, 0
	}
	switch tag & 7 {
	case wireVarint:
		_, n = readVarint(b)
	case wireFixed64:
		n = 8
	case wireFixed32:
		n = 4
	case wireBytes:
		_, rest, n = readBytes(b)
		return rest, n
	}
	if n == 0 || n > len(b) {
		return nil, 0
	}
	return b[n:], n
}
