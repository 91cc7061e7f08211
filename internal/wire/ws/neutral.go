package ws

import "encoding/binary"

// Neutral is the payload of the messages in b, without their masks and without control frames. Fragments join,
// so that a message is the same however it is cut.
func (*protocol) Neutral(b []byte, _ bool) []byte {
	out := []byte{}
	for len(b) >= 2 {
		masked := b[1]&maskBit != 0
		plain := []byte{b[0], b[1] &^ maskBit}
		f, size, ok := readFrame(append(plain, b[2:min(len(b), 10)]...))
		if !ok || size == 0 {
			return nil
		}
		b = b[size:]
		mask := uint32(0)
		if masked {
			if len(b) < 4 {
				return nil
			}
			mask, b = binary.LittleEndian.Uint32(b), b[4:]
		}
		payload := b[:min(f.length, uint64(len(b)))]
		b = b[len(payload):]
		applyMask(payload, mask)
		if f.opcode < opClose {
			out = append(out, payload...)
		}
	}
	return out
}
