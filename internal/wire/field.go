package wire

import (
	"encoding/binary"
	"math/bits"
)

// Field is an unsigned integer in a frame.
type Field struct {
	At, Width int
	little    bool
	Mask      uint64 // its largest value
	shift     uint8  // bits of a word that it does not take
}

// FieldOf is the field of width bytes, 1 to 8, at an offset; little says that the least byte is first.
func FieldOf(at, width int, little bool) Field {
	return Field{At: at, Width: width, little: little, Mask: ^uint64(0) >> (64 - 8*width), shift: uint8(64 - 8*width)}
}

// End is the offset after the field.
func (f *Field) End() int { return f.At + f.Width }

// Get reads the field of a frame that holds it.
func (f *Field) Get(frame []byte) uint64 {
	b := frame[f.At:]
	if len(b) < 8 {
		return f.getShort(b)
	}
	if f.little {
		return binary.LittleEndian.Uint64(b) & f.Mask
	}
	return binary.BigEndian.Uint64(b) >> (f.shift & 63) // at most 56, and the compiler knows
}

// getShort reads the field at the front of b, which does not go on for a whole word.
//
//go:noinline so that the ways that are always taken stay short
func (f *Field) getShort(b []byte) uint64 {
	var word [8]byte
	copy(word[:], b)
	if f.little {
		return binary.LittleEndian.Uint64(word[:]) & f.Mask
	}
	return binary.BigEndian.Uint64(word[:]) >> f.shift
}

// Request is the request with an id in this field: of those that have it, the last one sent, the numbers sent being
// those below sent; without any, the id itself, which is above all that were sent.
func (f *Field) Request(id, sent uint64) uint64 {
	if behind := (sent - 1 - id) & f.Mask; behind < sent {
		return sent - 1 - behind
	}
	return id
}

// Put writes v, modulo the field's width.
func (f *Field) Put(frame []byte, v uint64) {
	b := frame[f.At:]
	switch f.Width {
	case 8:
		if f.little {
			v = bits.ReverseBytes64(v)
		}
		binary.BigEndian.PutUint64(b, v)
	case 4:
		if f.little {
			v = uint64(bits.ReverseBytes32(uint32(v)))
		}
		binary.BigEndian.PutUint32(b, uint32(v))
	case 2:
		if f.little {
			v = uint64(bits.ReverseBytes16(uint16(v)))
		}
		binary.BigEndian.PutUint16(b, uint16(v))
	default:
		b[0] = byte(v)
	}
}
