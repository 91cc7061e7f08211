package prof

import (
	"encoding/binary"
	"errors"
)

// errWire says that bytes are no protobuf message, which is what a text profile,
// an HTML error page or a core dump is to us.
var errWire = errors.New("not a pprof protobuf message (text profiles, debug=1, are not read)")

// field is one field of a protobuf message.
type field struct {
	number uint64
	value  uint64 // of a varint
	packed bool   // bytes holds a length-delimited value
	bytes  []byte
}

// walk calls visit for each field of a protobuf message, in order. It allocates
// nothing. Format: protobuf.dev/programming-guides/encoding.
func walk(message []byte, visit func(field) error) error {
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if n <= 0 || tag>>3 == 0 {
			return errWire
		}
		message = message[n:]
		f := field{number: tag >> 3}
		var size uint64
		switch tag & 7 {
		case 0:
			if f.value, n = binary.Uvarint(message); n <= 0 {
				return errWire
			}
			size = uint64(n)
		case 1:
			size = 8
		case 2:
			length, n := binary.Uvarint(message)
			if n <= 0 {
				return errWire
			}
			message = message[n:]
			f.packed, size = true, length
		case 5:
			size = 4
		default:
			return errWire // groups: never in a profile
		}
		if size > uint64(len(message)) {
			return errWire
		}
		if f.packed {
			f.bytes = message[:size]
		}
		message = message[size:]
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

// varints returns how many varints a packed field holds, or 1 for a plain one.
func (f field) varints() int64 {
	if !f.packed {
		return 1
	}
	var n int64
	for _, b := range f.bytes {
		if b < 0x80 {
			n++
		}
	}
	return n
}
