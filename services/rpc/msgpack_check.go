package rpc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// maxDepth is how deep arrays and maps of a payload may be nested. The library skips
// unknown fields by recursion, so that 4 MB of nested arrays would end the process by a
// stack overflow, which nothing recovers.
const maxDepth = 100

// checkMsgpack walks over the first value in b, as it lies, and refuses what the
// library must not be given: values that are cut off, nested too deep, or that claim
// more elements than there are bytes (the library makes room for a map as large as it
// claims to be). The encoding is that of github.com/msgpack/msgpack/blob/master/spec.md.
func checkMsgpack(b []byte) error {
	var open [maxDepth]uint64 // values still to come, by depth
	depth := 0
	open[0] = 1
	for {
		for open[depth] == 0 {
			if depth == 0 {
				return nil
			}
			depth--
		}
		open[depth]--
		size, children, err := msgpackItem(b)
		if err != nil {
			return err
		}
		b = b[size:]
		if children == 0 {
			continue
		}
		if children > uint64(len(b)) {
			return io.ErrUnexpectedEOF
		}
		if depth++; depth == maxDepth {
			return fmt.Errorf("msgpack nested deeper than %d", maxDepth)
		}
		open[depth] = children
	}
}

var errUnknownFormat = errors.New("msgpack of unknown format 0xc1")

// msgpackItem measures the item at the front of b: its size in bytes without the
// values inside it, and how many those are.
func msgpackItem(b []byte) (size int, children uint64, err error) {
	if len(b) == 0 {
		return 0, 0, io.ErrUnexpectedEOF
	}
	var body uint64 // bytes after the first
	switch c := b[0]; {
	case c < 0x80 || c >= 0xe0: // fixint
	case c < 0x90:
		children = 2 * uint64(c&0x0f)
	case c < 0xa0:
		children = uint64(c & 0x0f)
	case c < 0xc0:
		body = uint64(c & 0x1f)
	default:
		f := &msgpackFormats[c-0xc0]
		if f.unknown {
			return 0, 0, errUnknownFormat
		}
		n, ok := bigEndian(b[1:], f.lengthBytes)
		if !ok {
			return 0, 0, io.ErrUnexpectedEOF
		}
		body = uint64(f.lengthBytes) + uint64(f.fixed)
		if f.perElement > 0 {
			children = n * uint64(f.perElement)
		} else {
			body += n
		}
	}
	if body > uint64(len(b)-1) {
		return 0, 0, io.ErrUnexpectedEOF
	}
	return 1 + int(body), children, nil
}

// msgpackFormat describes one of the formats 0xc0 to 0xdf: a length of so many bytes,
// then fixed bytes, then as many bytes as the length says, or, with perElement, as many
// times that number of values.
type msgpackFormat struct {
	lengthBytes, fixed, perElement uint8
	unknown                        bool
}

var msgpackFormats = [0x20]msgpackFormat{
	0x00: {},              // nil
	0x01: {unknown: true}, // never used
	0x02: {}, 0x03: {},    // false, true
	0x04: {lengthBytes: 1}, 0x05: {lengthBytes: 2}, 0x06: {lengthBytes: 4}, // bin
	0x07: {lengthBytes: 1, fixed: 1}, 0x08: {lengthBytes: 2, fixed: 1}, // ext: a type
	0x09: {lengthBytes: 4, fixed: 1},   // ext
	0x0a: {fixed: 4}, 0x0b: {fixed: 8}, // float
	0x0c: {fixed: 1}, 0x0d: {fixed: 2}, 0x0e: {fixed: 4}, 0x0f: {fixed: 8}, // uint
	0x10: {fixed: 1}, 0x11: {fixed: 2}, 0x12: {fixed: 4}, 0x13: {fixed: 8}, // int
	0x14: {fixed: 2}, 0x15: {fixed: 3}, 0x16: {fixed: 5}, 0x17: {fixed: 9}, // fixext 1 to 8
	0x18: {fixed: 17},                                                      // fixext 16
	0x19: {lengthBytes: 1}, 0x1a: {lengthBytes: 2}, 0x1b: {lengthBytes: 4}, // str
	0x1c: {lengthBytes: 2, perElement: 1}, 0x1d: {lengthBytes: 4, perElement: 1}, // array
	0x1e: {lengthBytes: 2, perElement: 2}, 0x1f: {lengthBytes: 4, perElement: 2}, // map
}

// bigEndian reads an integer of 0, 1, 2 or 4 bytes.
func bigEndian(b []byte, size uint8) (n uint64, ok bool) {
	if len(b) < int(size) {
		return 0, false
	}
	switch size {
	case 1:
		n = uint64(b[0])
	case 2:
		n = uint64(binary.BigEndian.Uint16(b))
	case 4:
		n = uint64(binary.BigEndian.Uint32(b))
	}
	return n, true
}
