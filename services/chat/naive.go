package chat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
)

// openNaive is the first rung: whatever a message needs is made for it. Each packet is
// read into a buffer of its own, each text inflated by a reader and, for each recipient
// anew, compressed by a writer of its own, each log line put together by Format and
// Sprintf.
//
// A CPU profile is garbage collection, by its workers or as assists, and clearing
// memory; an allocs profile names compress/flate.NewWriter under deflateNew. That alone
// is the cause: what else is allocated is a hundredth of it.
func openNaive(s *Server) func(*peer) error {
	return func(p *peer) error {
		own := &session{server: s, peer: p}
		defer own.leave()
		return converse(own, &naive{own})
	}
}

type naive struct{ *session }

func (n *naive) next() (*Packet, error) { return readPacket(n.peer) }

// readPacket reads one packet into memory of its own. The error is io.EOF only between
// frames.
func readPacket(r io.Reader) (*Packet, error) {
	var length int32
	if err := binary.Read(r, binary.BigEndian, &length); err != nil {
		return nil, err
	}
	if err := checkLength(length); err != nil {
		return nil, err
	}
	payload := make([]byte, length-lengthSize)
	if _, err := io.ReadFull(r, payload); err != nil {
		return nil, cutOff(err)
	}
	p := new(Packet)
	return p, p.Decode(payload)
}

// cutOff is err where a frame has begun: its end is no end between frames.
func cutOff(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (n *naive) inflate(stream []byte) ([]byte, error) { return inflateNew(stream) }

func (n *naive) note(m *message) {
	n.server.journal.write([]byte(fmt.Sprintf("%s user=%s nick=%s room=%s conn=%d id=%d bytes=%d to=%d\n",
		time.Now().UTC().Format(journalTime), m.user, m.from, m.room, m.conn, m.id, len(m.text), m.sends)))
}

func (n *naive) tell(to *peer, m *message) {
	to.Write(appendBroadcast(nil, m, n.deflate(m.text)))
}

func (n *naive) ack(id uint32, r Result) error {
	_, err := n.peer.Write(AppendAck(nil, id, r))
	return err
}
