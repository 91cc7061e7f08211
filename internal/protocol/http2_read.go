package protocol

import (
	"cmp"

	"github.com/gohone/hone/load"
)

// step reads one frame, or a piece of a DATA frame, from the front of in. used is 0
// where that is not whole; answered says that a is the end of a request or of the
// connection.
func (d *http2Dialog) step(in []byte) (used int, a load.Answer, answered bool) {
	if d.data.reading {
		return d.readBody(in)
	}
	if len(in) < http2FrameHeader {
		return 0, a, false
	}
	f, front := readHTTP2Frame(in), in
	in = in[http2FrameHeader:]
	expected := d.partsOf == 0 || f.kind == http2Continuation && f.stream == d.partsOf
	first := d.peer.known || f.kind == http2Settings && !f.has(http2Ack)
	if f.length > http2MaxFrame || !expected || !first {
		d.tellForeign(front)
		return 0, d.broken(), true
	}
	if f.kind == http2Data {
		return d.startBody(f, in)
	}
	if len(in) < f.length {
		return 0, a, false
	}
	var ok bool
	used, in = http2FrameHeader+f.length, in[:f.length]
	switch f.kind {
	case http2Headers:
		a, answered, ok = d.headers(f, in)
	case http2Continuation:
		a, answered, ok = d.continuation(f, in)
	case http2Reset:
		a, answered, ok = d.wasReset(f, in)
	case http2GoAway:
		a, answered, ok = d.goAway(f, in)
	case http2Settings:
		ok = d.settings(f, in)
	case http2Ping:
		ok = d.ping(f, in)
	case http2WindowUpdate:
		ok = d.windowUpdate(f, in)
	case http2Priority:
		ok = f.length == 5 && f.stream != 0
	case http2PushPromise: // which our settings rule out
	default:
		ok = true // RFC 9113 section 5.5: unknown types are ignored
	}
	if !ok || len(d.control) > maxHTTP2Control {
		return 0, d.broken(), true
	}
	return used, a, answered
}

// tellForeign says what came instead of HTTP/2, of the connection's first bytes.
func (d *http2Dialog) tellForeign(in []byte) {
	if first := &d.protocol.foreign; !d.peer.known && first.open() {
		first.tell("the server speaks no HTTP/2 on this port, it sent %s: %s", cmp.Or(otherProtocol(in), "something else"), Front(firstLine(in)))
	}
}

// requestOf is the request whose stream a frame is for. s is nil if it is answered; ok is
// false if the server must not send such a frame.
func (d *http2Dialog) requestOf(stream uint32) (seq uint64, s *http2Stream, ok bool) {
	seq = uint64(stream / 2)
	if stream%2 == 0 || seq >= d.streams.next {
		return 0, nil, false
	}
	s = d.streams.at(seq)
	// RFC 9113 section 5.1, closed: nothing comes on a stream that the server itself has
	// ended.
	d.extra = s == nil && !d.resets
	return seq, s, !d.extra
}

// startBody reads the header of a DATA frame and the size of its padding.
func (d *http2Dialog) startBody(f http2Frame, in []byte) (used int, a load.Answer, answered bool) {
	pad := 0
	used = http2FrameHeader
	left := f.length
	if f.has(http2Padded) {
		if f.length > 0 && len(in) == 0 {
			return 0, a, false
		}
		if f.length > 0 {
			pad = int(in[0])
		}
		used++
		left -= 1 + pad
	}
	seq, s, ok := d.requestOf(f.stream)
	if !ok || left < 0 || len(d.control) > maxHTTP2Control {
		return 0, d.broken(), true
	}
	d.owe(s, f)
	d.data = http2Body{seq: seq, left: left, pad: pad, empty: left == 0, reading: true, end: f.has(http2EndStream)}
	if s != nil && s.status == 0 { // a body ahead of its head
		a, answered = d.fault(seq, s, load.Malformed, !d.data.end), true
	}
	return used, a, answered
}

// owe counts a DATA frame, its padding too, against the windows, and gives back what is
// due (RFC 9113 section 6.9). All is given back as it comes, which leaves no moment to
// catch a server that overruns its windows.
func (d *http2Dialog) owe(s *http2Stream, f http2Frame) {
	d.owed += f.length
	if d.owed >= http2ConnWindow/2 {
		d.control = appendHTTP2Word(d.control, http2WindowUpdate, 0, uint32(d.owed))
		d.owed = 0
	}
	if s == nil {
		return
	}
	s.owed += f.length
	if s.owed >= http2StreamWindow/2 && !f.has(http2EndStream) {
		d.control = appendHTTP2Word(d.control, http2WindowUpdate, f.stream, uint32(s.owed))
		s.owed = 0
	}
}

// readBody reads what there is of a DATA frame.
func (d *http2Dialog) readBody(in []byte) (used int, a load.Answer, answered bool) {
	b, s := &d.data, d.streams.at(d.data.seq)
	if n := min(b.left, len(in)); n > 0 {
		if s != nil {
			if s.messages.each {
				n = s.messages.toEnd(in[:n])
			}
			s.received += int64(n)
			d.takeBody(s, in[:n])
		}
		b.left -= n
		used = n
	}
	skip := min(b.pad, len(in)-used)
	if b.left > 0 {
		skip = 0
	}
	b.pad -= skip
	used += skip
	b.reading = b.left+b.pad > 0
	if s == nil {
		return used, a, false
	}
	if !b.reading && !b.empty && s.stream != nil && d.protocol.call == nil {
		s.stream.part()
	}
	if !b.reading && b.end {
		return used, d.finish(b.seq, s), true
	}
	a, answered = d.streamed(b.seq, s)
	return used, a, answered
}
