package protocol

import (
	"errors"
	"io"

	"github.com/quic-go/qpack"
	"github.com/quic-go/quic-go/quicvarint"
)

// http3Stream is one request that is not answered yet.
type http3Stream struct {
	// headOnly: the method is HEAD, and the answer has no body.
	headOnly bool
	turn     httpTaken
	// status is the answer's; 0 until its head has come. length is its Content-Length, -1 without; received is how much
	// of its body has come. ended says that its trailers have.
	status           uint16
	length, received int64
	ended            bool
	body             *httpBody // nil if nothing has to look at the body
	frames           http3Frames
	stream           stream // how far it is if it is one
}

// http3Frames cuts what comes on a stream into frames.
type http3Frames struct {
	// kind and left are of the frame that is being read: left bytes of it are still to come.
	kind uint64
	left uint64
	// front holds the header of a frame that is not whole, block the front of a payload that is needed whole.
	front, block []byte
}

// between says that no frame has begun whose end has not come.
func (f *http3Frames) between() bool { return f.left == 0 && len(f.front) == 0 }

func (s *http3Stream) between() bool { return s.frames.between() }

// maxHTTP3FrameHead is the size of two numbers of up to 8 bytes: RFC 9000 section 16.
const maxHTTP3FrameHead = 16

// header reads the type and length of a frame. used is what it took of in; whole says that they are known now.
func (f *http3Frames) header(in []byte) (used int, whole bool) {
	had := len(f.front)
	front := append(f.front, in[:min(len(in), maxHTTP3FrameHead-had)]...)
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
func (f *http3Frames) payload(in []byte) (piece []byte, last bool) {
	piece = in[:min(f.left, uint64(len(in)))]
	f.left -= uint64(len(piece))
	return piece, f.left == 0
}

// whole takes a piece of a payload that is needed whole, and returns that when the last piece has come.
func (f *http3Frames) whole(piece []byte, last bool) (payload []byte, ok bool) {
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

// http3Fault says how bad something is.
type http3Fault uint8

const (
	http3Fine  http3Fault = iota
	http3Bad              // the answer
	http3Fatal            // the connection
)

// read reads what came on the stream of a request.
func (d *http3Dialog) read(s *http3Stream, in []byte) http3Fault {
	f := &s.frames
	for len(in) > 0 {
		if f.left == 0 {
			used, whole := f.header(in)
			in = in[used:]
			if !whole {
				return http3Fine
			}
			if fault := s.begins(f.kind, f.left); fault != http3Fine {
				return fault
			}
			if f.left > 0 {
				continue
			}
		}
		piece, last := f.payload(in)
		in = in[len(piece):]
		switch f.kind {
		case http3Data:
			s.received += int64(len(piece))
			if s.body != nil {
				s.body.take(piece)
			}
			s.stream.take(piece)
			if last && s.received > 0 {
				s.stream.part()
			}
		case http3Headers:
			block, ok := f.whole(piece, last)
			if !ok {
				continue
			}
			if fault := d.head(s, block); fault != http3Fine {
				return fault
			}
		}
	}
	return http3Fine
}

// begins judges the type and length of a frame on the stream of a request: RFC 9114 sections 4.1, 7.1 and 7.2.
func (s *http3Stream) begins(kind, length uint64) http3Fault {
	switch kind {
	case http3Data:
		if s.status == 0 || s.ended {
			return http3Fatal
		}
	case http3Headers:
		if s.ended {
			return http3Fatal
		}
		if length > maxHead {
			return http3Bad
		}
	case http3CancelPush, http3Settings, http3PushPromise, http3GoAway, http3MaxPush, 0x02, 0x06, 0x08, 0x09:
		return http3Fatal
	}
	return http3Fine
}

// head takes the header block of an answer: its head, one ahead of it (1xx), or its trailers.
func (d *http3Dialog) head(s *http3Stream, block []byte) http3Fault {
	trailers := s.status != 0
	reader := &d.heads
	if trailers {
		reader = &d.trailers
	}
	m, ok := reader.recall(block)
	switch {
	case !ok:
		return http3Fatal // RFC 9204 section 2.2.3
	case m.bad, trailers && m.status != 0, !trailers && m.status == 0, m.status == 101: // RFC 9114 sections 4.3.2 and 4.5
		return http3Bad
	case trailers:
		s.ended = true
	case m.status >= 200:
		s.status, s.length = m.status, m.length
		s.stream.head(&d.protocol.streams, m.events)
	}
	return http3Fine
}

// http3Fields reads header blocks. None uses a dynamic table, so that a block means the same whenever it comes.
type http3Fields struct {
	decoder qpack.Decoder
	// seen is the last block, meaning what it means: mostly the next one is the same.
	seen    []byte
	meaning http2Meaning
}

// recall reads a block, or remembers what the same one meant; false if it cannot be decoded.
func (b *http3Fields) recall(block []byte) (http2Meaning, bool) {
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
func (b *http3Fields) read(block []byte) (m http2Meaning, ok bool) {
	m.length = -1
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
			code, ok := decimal([]byte(f.Value))
			m.bad = m.bad || regular || m.status != 0 || !ok || len(f.Value) != 3 || code < 100
			m.status = uint16(code)
			continue
		case f.Name == "content-type":
			m.events = isEventStream([]byte(f.Value))
		case f.Name == "content-length":
			length, ok := decimal([]byte(f.Value))
			m.bad = m.bad || !ok || m.length >= 0 && m.length != length
			m.length = length
		case !isHTTP2Name([]byte(f.Name)):
			m.bad = true
		}
		regular = true
	}
}

// open opens the stream of request seq.
func (d *http3Dialog) open(seq uint64) *http3Stream {
	var s *http3Stream
	if n := len(d.free); n > 0 {
		s, d.free = d.free[n-1], d.free[:n-1]
	} else {
		s = &http3Stream{body: d.protocol.checks.newBody()}
	}
	*s = http3Stream{length: -1, body: s.body, frames: http3Frames{front: s.frames.front[:0], block: s.frames.block[:0]}}
	d.streams[seq] = s
	return s
}

// close closes the stream of request seq, which must be open.
func (d *http3Dialog) close(seq uint64) {
	d.free = append(d.free, d.streams[seq])
	delete(d.streams, seq)
}
