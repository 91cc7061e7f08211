package ws

import (
	"encoding/binary"
	"unicode/utf8"
)

// The opcodes of frames: RFC 6455 section 5.2.
const (
	opContinue = 0x0
	opText     = 0x1
	opBinary   = 0x2
	opClose    = 0x8
	opPing     = 0x9
	opPong     = 0xa

	final   = 0x80
	maskBit = 0x80
	// controlBytes is the longest payload of a control frame: RFC 6455 section 5.5.
	controlBytes = 125
)

// frame is the header of a frame of a server.
type frame struct {
	final  bool
	opcode byte
	length uint64
}

// readFrame reads the header at the front of in. size is 0 if it is not whole, ok false if a server must not send
// such a frame: RFC 6455 sections 5.1 and 5.2.
func readFrame(in []byte) (f frame, size int, ok bool) {
	if len(in) < 2 {
		return f, 0, true
	}
	f = frame{final: in[0]&final != 0, opcode: in[0] & 0x0f, length: uint64(in[1] & 0x7f)}
	if in[0]&0x70 != 0 || in[1]&maskBit != 0 || f.opcode > opPong || f.opcode > opBinary && f.opcode < opClose {
		return f, 0, false
	}
	if f.opcode >= opClose && (!f.final || f.length > controlBytes) {
		return f, 0, false
	}
	switch size = 2; f.length {
	case 126:
		if size = 4; len(in) < size {
			return f, 0, true
		}
		f.length = uint64(binary.BigEndian.Uint16(in[2:]))
		return f, size, f.length >= 126 // the shortest form has to be used
	case 127:
		if size = 10; len(in) < size {
			return f, 0, true
		}
		f.length = binary.BigEndian.Uint64(in[2:])
		return f, size, f.length > 0xffff && f.length>>63 == 0
	}
	return f, size, true
}

// appendFrame appends a whole frame of a client, with its payload masked: RFC 6455 section 5.3.
func appendFrame(dst []byte, opcode byte, payload []byte, mask uint32) []byte {
	dst = appendHead(dst, opcode, len(payload), mask)
	at := len(dst)
	dst = append(dst, payload...)
	applyMask(dst[at:], mask)
	return dst
}

func appendHead(dst []byte, opcode byte, length int, mask uint32) []byte {
	dst = append(dst, final|opcode)
	switch {
	case length < 126:
		dst = append(dst, maskBit|byte(length))
	case length <= 0xffff:
		dst = binary.BigEndian.AppendUint16(append(dst, maskBit|126), uint16(length))
	default:
		dst = binary.BigEndian.AppendUint64(append(dst, maskBit|127), uint64(length))
	}
	return binary.LittleEndian.AppendUint32(dst, mask)
}

// applyMask masks a payload, or takes its mask off.
func applyMask(b []byte, mask uint32) {
	wide := uint64(mask)<<32 | uint64(mask)
	for len(b) >= 8 {
		binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)^wide)
		b = b[8:]
	}
	for i := range b {
		b[i] ^= byte(mask >> (8 * i))
		if i == 3 {
			applyMask(b[4:], mask)
			return
		}
	}
}

// utf8Check checks text that comes in pieces.
type utf8Check struct {
	rest [utf8.UTFMax]byte // the beginning of a character that is not whole
	n    int
}

// take says whether the text so far is UTF-8.
func (u *utf8Check) take(piece []byte) bool {
	for u.n > 0 && len(piece) > 0 {
		u.rest[u.n] = piece[0]
		u.n++
		piece = piece[1:]
		if utf8.FullRune(u.rest[:u.n]) {
			if !utf8.Valid(u.rest[:u.n]) {
				return false
			}
			u.n = 0
		}
	}
	end := len(piece)
	for i := 1; i <= min(utf8.UTFMax-1, len(piece)); i++ {
		if b := piece[len(piece)-i]; utf8.RuneStart(b) {
			if !utf8.FullRune(piece[len(piece)-i:]) {
				end = len(piece) - i
			}
			break
		}
	}
	if u.n == 0 {
		u.n = copy(u.rest[:], piece[end:])
	}
	return utf8.Valid(piece[:end])
}

// end says whether the text ended with a whole character, and makes u ready for the next.
func (u *utf8Check) end() bool {
	whole := u.n == 0
	u.n = 0
	return whole
}
