package http3

import (
	"cmp"
	"errors"
	"io"

	"github.com/quic-go/qpack"
	"github.com/quic-go/quic-go/quicvarint"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/internal/wire/httpmsg"
)

// stream is one request that is not answered yet.
type stream struct {
	// headOnly: the method is HEAD, and the answer has no body.
	headOnly bool
	turn     httpmsg.Taken
	// status is the answer's; 0 until its head has come. length is its Content-Length, -1 without; received is how much
	// of its body has come. ended says that its trailers have.
	status           uint16
	length, received int64
	ended            bool
	body             *answer.Body // nil if nothing has to look at the body
	refused          *answer.Body // looks at it if it may be the first with a wrong status; mostly nil
	frames           frames
	stream           answer.Stream // how far it is if it is one
}

// frames cuts what comes on a stream into frames.
type frames struct {
	// kind and left are of the frame that is being read: left bytes of it are still to come.
	kind uint64
	left uint64
	// front holds the header of a frame that is not whole, block the front of a payload that is needed whole.
	front, block []byte
}

// looks is what looks at the body; nil for nothing.
func (s *stream) looks() *answer.Body { return cmp.Or(s.body, s.refused) }

// between says that no frame has begun whose end has not come.
func (f *frames) between() bool { return f.left == 0 && len(f.front) == 0 }

func (s *stream) between() bool { return s.frames.between() }

// maxFrameHead is the size of two numbers of up to 8 bytes: RFC 9000 section 16.
const maxFrameHead = 16

// header reads the type and length of a frame. used is what it took of in; whole says that they are known now.
func (f *frames) header(in []byte) (used int, whole bool) {
	had := len(f.front)
	front := append(f.front, in[:min(len(in), maxFrameHead-had)]...)
	kind, n, err := quicvarint.Parse(front)
	if err == nil {
		var length uint64
		var m int
		if length, m, err = quicvarint.Parse(front[n:]); err == nil {
			f.kind, f.left, f.front = kind, length, front[:0]
			f.block = f.block[:0]
			return n + m - had, true
		}
	}
	f.front = front // two numbers are never longer than that: in is used up
	return len(front) - had, false
}

// payload takes of in what belongs to the frame that is being read; last says that this is the end of it.
func (f *frames) payload(in []byte) (piece []byte, last bool) {
	piece = in[:min(f.left, uint64(len(in)))]
	f.left -= uint64(len(piece))
	return piece, f.left == 0
}

// whole takes a piece of a payload that is needed whole, and returns that when the last piece has come.
func (f *frames) whole(piece []byte, last bool) (payload []byte, ok bool) {
	switch {
	case last && len(f.block) == 0:
		return piece, true // mostly
	case last:
		f.block = append(f.block, piece...)
		return f.block, true
	}
	f.block = append(f.block, piece...)
	return nil, false
}

// fault says how bad something is.
type fault uint8

const (
	fine  fault = iota
	bad         // the answer
	fatal       // the connection
)

// read reads what came on the stream of a request.
func (d *dialog) read(s *stream, in []byte) fault {
	f := &s.frames
	for len(in) > 0 {
		if f.left == 0 {
			used, whole := f.header(in)
			in = in[used:]
			if !whole {
				return fine
			}
			if fault := s.begins(f.kind, f.left); fault != fine {
				return fault
			}
			if f.left > 0 {
				continue
			}
		}
		piece, last := f.payload(in)
		in = in[len(piece):]
		switch f.kind {
		case Data:
			s.received += int64(len(piece))
			if body := s.looks(); body != nil {
				body.Take(piece)
			}
			s.stream.Take(piece)
			if last && s.received > 0 {
				s.stream.Part()
			}
		case Headers:
			block, ok := f.whole(piece, last)
			if !ok {
				continue
			}
			if fault := d.head(s, block); fault != fine {
				return fault
			}
		}
	}
	return fine
}

// begins judges the type and length of a frame on the stream of a request: RFC 9114 sections 4.1, 7.1 and 7.2.
func (s *stream) begins(kind, length uint64) fault {
	switch kind {
	case Data:
		if s.status == 0 || s.ended {
			return fatal
		}
	case Headers:
		if s.ended {
			return fatal
		}
		if length > httpmsg.MaxHead {
			return bad
		}
	case cancelPush, settingsFrame, pushPromise, goAway, maxPush, 0x02, 0x06, 0x08, 0x09:
		return fatal
	}
	return fine
}

// head takes the header block of an answer: its head, one ahead of it (1xx), or its trailers.
func (d *dialog) head(s *stream, block []byte) fault {
	trailers := s.status != 0
	reader := &d.heads
	if trailers {
		reader = &d.trailers
	}
	m, ok := reader.recall(block)
	switch {
	case !ok:
		return fatal // RFC 9204 section 2.2.3
	case m.Bad, trailers && m.Status != 0, !trailers && m.Status == 0, m.Status == 101: // RFC 9114 sections 4.3.2 and 4.5
		return bad
	case trailers:
		s.ended = true
	case m.Status >= 200:
		s.status, s.length = m.Status, m.Length
		s.stream.Head(&d.protocol.streams, m.Events)
		if s.body == nil {
			s.refused = d.protocol.checks.Refused(s.status)
		}
	}
	return fine
}

// fields reads header blocks. None uses a dynamic table, so that a block means the same whenever it comes.
type fields struct {
	decoder qpack.Decoder
	// seen is the last block, meaning what it means: mostly the next one is the same.
	seen    []byte
	meaning httpmsg.Meaning
}

// recall reads a block, or remembers what the same one meant; false if it cannot be decoded.
func (b *fields) recall(block []byte) (httpmsg.Meaning, bool) {
	if len(b.seen) > 0 && string(b.seen) == string(block) {
		return b.meaning, true
	}
	m, ok := b.read(block)
	if ok {
		b.seen, b.meaning = append(b.seen[:0], block...), m
	}
	return m, ok
}

// read reads any block: RFC 9114 section 4.3.
func (b *fields) read(block []byte) (m httpmsg.Meaning, ok bool) {
	m.Length = -1
	next, regular := b.decoder.Decode(block), false
	for {
		f, err := next()
		if errors.Is(err, io.EOF) {
			return m, true
		}
		if err != nil {
			return m, false
		}
		switch {
		case f.Name == ":status":
			code, ok := wire.Decimal([]byte(f.Value))
			m.Bad = m.Bad || regular || m.Status != 0 || !ok || len(f.Value) != 3 || code < 100
			m.Status = uint16(code)
			continue
		case f.Name == "content-type":
			m.Events = answer.IsEventStream([]byte(f.Value))
		case f.Name == "content-length":
			length, ok := wire.Decimal([]byte(f.Value))
			m.Bad = m.Bad || !ok || m.Length >= 0 && m.Length != length
			m.Length = length
		case !httpmsg.IsName([]byte(f.Name)):
			m.Bad = true
		}
		regular = true
	}
}

// open opens the stream of request seq.
func (d *dialog) open(seq uint64) *stream {
	var s *stream
	if n := len(d.free); n > 0 {
		s, d.free = d.free[n-1], d.free[:n-1]
	} else {
		s = &stream{body: d.protocol.checks.NewBody()}
	}
	*s = stream{length: -1, body: s.body, frames: frames{front: s.frames.front[:0], block: s.frames.block[:0]}}
	d.streams[seq] = s
	return s
}

// close closes the stream of request seq, which must be open.
func (d *dialog) close(seq uint64) {
	d.free = append(d.free, d.streams[seq])
	delete(d.streams, seq)
}
