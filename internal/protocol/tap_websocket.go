package protocol

import "encoding/binary"

// Neutral is the payload of the messages in b, without their masks and without control frames. Fragments join,
// so that a message is the same however it is cut.
func (*webSocket) Neutral(b []byte, _ bool) []byte {
	out := []byte{}
	for len(b) >= 2 {
		masked := b[1]&wsMasked != 0
		plain := []byte{b[0], b[1] &^ wsMasked}
		f, size, ok := readWebSocketFrame(append(plain, b[2:min(len(b), 10)]...))
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
		maskWebSocket(payload, mask)
		if f.opcode < wsClose {
			out = append(out, payload...)
		}
	}
	return out
}
