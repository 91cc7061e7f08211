package tcp

import "encoding/binary"

// blank sets the bytes from..to of b to 0, where it has them.
func blank(b []byte, from, to int) []byte {
	if len(b) < to {
		return nil
	}
	clear(b[from:to])
	return b
}

// lastBytes are the last n bytes of b; nil where it has fewer.
func lastBytes(b []byte, n int) []byte {
	if len(b) < n {
		return nil
	}
	return b[len(b)-n:]
}

// Neutral leaves out the id.
func (framed) Neutral(b []byte, answer bool) []byte {
	if answer {
		b = lastBytes(b, framedAckBytes)
	}
	return blank(b, 5, framedHeader)
}

// Neutral leaves out the id.
func (p protocol) Neutral(b []byte, _ bool) []byte {
	if id := p.layout.id; id.Width > 0 {
		return blank(b, id.At, id.End())
	}
	return b
}

// Neutral leaves out the signs of life before an answer.
func (*rpc) Neutral(b []byte, answer bool) []byte {
	for answer && len(b) > rpcHeader && b[2] == rpcHeartbeat {
		size := rpcHeader + int(binary.BigEndian.Uint32(b[7:]))
		if size > len(b) {
			return nil
		}
		b = b[size:]
	}
	return blank(b, rpcStreamAt, rpcStreamAt+2)
}

// Neutral has one request: names and rooms are drawn for each target, and the text is the
// same for all. What was read before an acknowledgement is messages of others.
func (*chat) Neutral(b []byte, answer bool) []byte {
	if !answer {
		return []byte{chatMessage}
	}
	return blank(lastBytes(b, chatAckBytes), 5, chatHeader)
}
