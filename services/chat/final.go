package chat

import (
	"encoding/binary"
	"errors"
	"io"
	"sync"
	"time"
)

// openFinal does everything once per message that need not be done per recipient, and
// allocates nothing for either. What a goroutine works with is borrowed from a pool
// while there are bytes to work on: a connection that waits holds none of it.
//
// All whole packets of one read are handled before anything is written. Each text is
// compressed once, with the fastest level, or stored as it is where compressing would
// save little; the frames of one read go to each recipient in one write. No sender waits
// for a recipient: see outbox.
//
// A CPU profile is Syscall and little else; an allocs profile names nothing per message.
func openFinal(s *Server) func(*peer) error {
	pool := &sync.Pool{New: func() any { return newScratch() }}
	return func(p *peer) error {
		p.out = newOutbox(s, p)
		f := &final{session: session{server: s, peer: p}, in: newInbox(p.Conn, pool)}
		defer f.leave()
		return f.converse()
	}
}

type final struct {
	session
	in *inbox
}

// Limits of what is collected and compressed, in bytes.
const (
	// flushLimit is how much is collected before it is written: enough for a write to be
	// cheap per frame, and with one frame more on top still below minQueueBytes.
	flushLimit = 16 << 10
	// storedLimit is the largest text that is stored without trying to compress it. A
	// stored block costs a fraction of a microsecond, the fastest compression 10; on 512
	// bytes of chat it saves some 100, which is nothing to a network that carries 40 of
	// headers and an ack per packet.
	storedLimit = 512
)

func (f *final) converse() error {
	for {
		d, readErr := f.in.read()
		if d == nil {
			return readErr
		}
		rest, err := f.work(d)
		f.in.keep(d, rest)
		switch {
		case err != nil:
			return err
		case readErr == nil:
		case errors.Is(readErr, io.EOF) && len(rest) > 0:
			return io.ErrUnexpectedEOF
		default:
			return readErr
		}
	}
}

// work handles every whole frame of d.in, and writes what comes of them. It returns the
// rest, which is the front of one frame. The error is a *FrameError; the frames before
// the bad one are acked.
func (f *final) work(d *scratch) (rest []byte, err error) {
	rest = d.in
	for {
		size, bad := frameSize(rest)
		if bad != nil || size == 0 {
			err = bad
			break
		}
		if err = f.packet(d, rest[lengthSize:size]); err != nil {
			break
		}
		rest = rest[size:]
	}
	f.flush(d)
	return rest, err
}

// frameSize is the size of the frame at the front of b, or 0 if it is not whole yet.
func frameSize(b []byte) (int, error) {
	if len(b) < lengthSize {
		return 0, nil
	}
	length := int32(binary.BigEndian.Uint32(b))
	if err := checkLength(length); err != nil {
		return 0, err
	}
	if int(length) > len(b) {
		return 0, nil
	}
	return int(length), nil
}

// packet handles one packet.
func (f *final) packet(d *scratch, payload []byte) error {
	p := &d.packet
	if err := p.Decode(payload); err != nil {
		return err
	}
	if p.Command == CommandJoin {
		f.flush(d) // to the room that may be left now
	}
	result, err := f.handle(p)
	if err != nil {
		return err
	}
	if p.Command == CommandMessage && result == Accepted {
		result = f.message(d, p)
	}
	d.requests++
	if result != Accepted {
		d.refused++
	}
	d.acks = AppendAck(d.acks, p.ID, result)
	if len(d.frames)+len(d.acks)+len(d.lines) > flushLimit {
		f.flush(d)
	}
	return nil
}

// message adds a message to what is collected for the room.
func (f *final) message(d *scratch, p *Packet) Result {
	text, err := d.inflate(p.Body)
	if err != nil {
		return resultOf(err)
	}
	m := &d.message
	*m = f.session.message(p.ID, text, len(f.room.members())-1)
	if m.sends > 0 {
		d.frames = d.appendFrame(d.frames, m, f.server.cfg.Stored)
	}
	if !f.server.cfg.NoLines {
		d.lines = appendLine(d.lines, time.Now(), m)
	}
	f.peer.delivered(1, m.sends)
	return Accepted
}

// flush writes what has been collected: the broadcasts to the other members of the
// room, the same bytes to each, the lines to the journal, the acks to the sender.
func (f *final) flush(d *scratch) {
	if len(d.frames) > 0 {
		for _, to := range f.room.members() {
			if to != f.peer {
				to.out.send(d.frames)
			}
		}
	}
	f.server.journal.collect(d.lines)
	f.peer.answered(d.requests, d.refused)
	if len(d.acks) > 0 {
		f.peer.out.send(d.acks)
	}
	d.clear()
}
