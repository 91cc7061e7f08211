package http2

import (
	"cmp"

	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/internal/wire/httpmsg"
	"github.com/gohone/hone/load"
)

// step reads one frame, or a piece of a DATA frame, from the front of in. used is 0
// where that is not whole; answered says that a is the end of a request or of the
// connection.
func (d *dialog) step(in []byte) (used int, a load.Answer, answered bool) {
	if d.data.reading {
		return d.readBody(in)
	}
	if len(in) < FrameHeader {
		return 0, a, false
	}
	f, front := ReadFrame(in), in
	in = in[FrameHeader:]
	expected := d.partsOf == 0 || f.Kind == Continuation && f.Stream == d.partsOf
	first := d.peer.known || f.Kind == settingsFrame && !f.Has(ack)
	if f.Length > maxFrame || !expected || !first {
		d.tellForeign(front)
		return 0, d.broken(), true
	}
	if f.Kind == Data {
		return d.startBody(f, in)
	}
	if len(in) < f.Length {
		return 0, a, false
	}
	var ok bool
	used, in = FrameHeader+f.Length, in[:f.Length]
	switch f.Kind {
	case Headers:
		a, answered, ok = d.headers(f, in)
	case Continuation:
		a, answered, ok = d.continuation(f, in)
	case reset:
		a, answered, ok = d.wasReset(f, in)
	case goAway:
		a, answered, ok = d.goAway(f, in)
	case settingsFrame:
		ok = d.settings(f, in)
	case ping:
		ok = d.ping(f, in)
	case windowUpdate:
		ok = d.windowUpdate(f, in)
	case priority:
		ok = f.Length == 5 && f.Stream != 0
	case pushPromise: // which our settings rule out
	default:
		ok = true // RFC 9113 section 5.5: unknown types are ignored
	}
	if !ok || len(d.control) > maxControl {
		return 0, d.broken(), true
	}
	return used, a, answered
}

// tellForeign says what came instead of HTTP/2, of the connection's first bytes.
func (d *dialog) tellForeign(in []byte) {
	if first := &d.protocol.foreign; !d.peer.known && first.Open() {
		first.Tell("the server speaks no HTTP/2 on this port, it sent %s: %s",
			cmp.Or(httpmsg.OtherProtocol(in), "something else"), answer.Front(httpmsg.FirstLine(in)))
	}
}

// requestOf is the request whose stream a frame is for. s is nil if it is answered; ok is
// false if the server must not send such a frame.
func (d *dialog) requestOf(stream uint32) (seq uint64, s *stream, ok bool) {
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
func (d *dialog) startBody(f Frame, in []byte) (used int, a load.Answer, answered bool) {
	pad := 0
	used = FrameHeader
	left := f.Length
	if f.Has(Padded) {
		if f.Length > 0 && len(in) == 0 {
			return 0, a, false
		}
		if f.Length > 0 {
			pad = int(in[0])
		}
		used++
		left -= 1 + pad
	}
	seq, s, ok := d.requestOf(f.Stream)
	if !ok || left < 0 || len(d.control) > maxControl {
		return 0, d.broken(), true
	}
	d.owe(s, f)
	d.data = body{seq: seq, left: left, pad: pad, empty: left == 0, reading: true, end: f.Has(EndStream)}
	if s != nil && s.status == 0 { // a body ahead of its head
		a, answered = d.fault(seq, s, load.Malformed, !d.data.end), true
	}
	return used, a, answered
}

// owe counts a DATA frame, its padding too, against the windows, and gives back what is
// due (RFC 9113 section 6.9). All is given back as it comes, which leaves no moment to
// catch a server that overruns its windows.
func (d *dialog) owe(s *stream, f Frame) {
	d.owed += f.Length
	if d.owed >= connWindow/2 {
		d.control = appendWord(d.control, windowUpdate, 0, uint32(d.owed))
		d.owed = 0
	}
	if s == nil {
		return
	}
	s.owed += f.Length
	if s.owed >= streamWindow/2 && !f.Has(EndStream) {
		d.control = appendWord(d.control, windowUpdate, f.Stream, uint32(s.owed))
		s.owed = 0
	}
}

// readBody reads what there is of a DATA frame.
func (d *dialog) readBody(in []byte) (used int, a load.Answer, answered bool) {
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
		s.stream.Part()
	}
	if !b.reading && b.end {
		return used, d.finish(b.seq, s), true
	}
	a, answered = d.streamed(b.seq, s)
	return used, a, answered
}
