package chat

import (
	"bufio"
	"encoding/binary"
	"io"
	"time"
)

// openBuffers gives each connection memory of its own for what naive makes per packet:
// a read buffer, a packet that is filled in place, a frame to write and a log line. The
// text and the compressed streams are still made anew.
//
// An allocs profile names nothing any more but zlib, which was nearly all of it before.
func openBuffers(s *Server) func(*peer) error {
	return func(p *peer) error {
		own := &session{server: s, peer: p}
		defer own.leave()
		return converse(own, newBuffers(own))
	}
}

type buffers struct {
	*session
	in      *bufio.Reader
	length  [lengthSize]byte
	payload []byte
	packet  Packet
	out     []byte
	line    []byte
}

func newBuffers(s *session) *buffers {
	return &buffers{session: s, in: bufio.NewReader(s.peer)}
}

func (b *buffers) next() (*Packet, error) {
	if _, err := io.ReadFull(b.in, b.length[:]); err != nil {
		return nil, err
	}
	length := int32(binary.BigEndian.Uint32(b.length[:]))
	if err := checkLength(length); err != nil {
		return nil, err
	}
	size := int(length) - lengthSize
	if size > cap(b.payload) {
		b.payload = make([]byte, size)
	}
	b.payload = b.payload[:size]
	if _, err := io.ReadFull(b.in, b.payload); err != nil {
		return nil, cutOff(err)
	}
	return &b.packet, b.packet.Decode(b.payload)
}

func (b *buffers) inflate(stream []byte) ([]byte, error) { return inflateNew(stream) }

func (b *buffers) note(m *message) {
	b.line = appendLine(b.line[:0], time.Now(), m)
	b.server.journal.write(b.line)
}

func (b *buffers) tell(to *peer, m *message) {
	b.out = appendBroadcast(b.out[:0], m, b.deflate(m.text))
	to.Write(b.out)
}

func (b *buffers) ack(id uint32, r Result) error {
	b.out = AppendAck(b.out[:0], id, r)
	_, err := b.peer.Write(b.out)
	return err
}
