package chat

import (
	"encoding/binary"
	"hash/adler32"
)

// A text as a zlib stream of one stored block, which is a copy with a checksum:
//
//	78 01                CMF, FLG: deflate, 32 kB window, fastest (RFC 1950 section 2.2)
//	01                   last block, stored (RFC 1951 section 3.2.3)
//	LEN NLEN             size and its complement, little-endian (section 3.2.4)
//	text
//	Adler-32 of the text, big-endian (RFC 1950 section 2.2)
const (
	storedHead     = "\x78\x01\x01"
	storedStart    = len(storedHead) + 4
	storedOverhead = storedStart + 4
)

// appendStored appends text, at most MaxText bytes, as one stored block.
func appendStored(dst, text []byte) []byte {
	dst = append(dst, storedHead...)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(text)))
	dst = binary.LittleEndian.AppendUint16(dst, ^uint16(len(text)))
	dst = append(dst, text...)
	return binary.BigEndian.AppendUint32(dst, adler32.Checksum(text))
}

// storedText returns the text of a stream that is one stored block, without copying
// it. ok is false for any other stream, good or bad: the inflater then judges it.
func storedText(stream []byte) (text []byte, ok bool) {
	n := len(stream) - storedOverhead
	if n < 0 || n > MaxText || string(stream[:len(storedHead)]) != storedHead ||
		binary.LittleEndian.Uint16(stream[3:]) != uint16(n) ||
		binary.LittleEndian.Uint16(stream[5:]) != ^uint16(n) {
		return nil, false
	}
	text = stream[storedStart : storedStart+n]
	return text, binary.BigEndian.Uint32(stream[storedStart+n:]) == adler32.Checksum(text)
}
