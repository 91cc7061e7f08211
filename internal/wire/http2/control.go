package http2

import (
	"encoding/binary"

	"github.com/gohone/hone/internal/wire/httpmsg"
	"github.com/gohone/hone/load"
)

// headers reads a HEADERS frame: RFC 9113 section 6.2.
func (d *dialog) headers(f Frame, in []byte) (a load.Answer, answered, ok bool) {
	if f.Has(Padded) {
		if len(in) == 0 || int(in[0]) >= len(in) {
			return a, false, false
		}
		in = in[1 : len(in)-int(in[0])]
	}
	if f.Has(HasPriority) {
		if len(in) < 5 {
			return a, false, false
		}
		in = in[5:]
	}
	if f.Has(EndHeaders) {
		return d.head(f.Stream, in, f.Has(EndStream))
	}
	if _, _, ok := d.requestOf(f.Stream); !ok {
		return a, false, false
	}
	d.partsOf, d.partsEnds = f.Stream, f.Has(EndStream)
	d.parts = append(d.parts[:0], in...)
	return a, false, true
}

// continuation reads a CONTINUATION frame: RFC 9113 section 6.10.
func (d *dialog) continuation(f Frame, in []byte) (a load.Answer, answered, ok bool) {
	d.parts = append(d.parts, in...)
	if d.partsOf == 0 || len(d.parts) > httpmsg.MaxHead {
		return a, false, false
	}
	// A block in empty pieces would never end.
	if !f.Has(EndHeaders) {
		return a, false, len(in) > 0
	}
	d.partsOf = 0
	return d.head(f.Stream, d.parts, d.partsEnds)
}

// head takes the whole header block of an answer: its head, one ahead of it (1xx), or
// its trailers.
func (d *dialog) head(stream uint32, block []byte, end bool) (a load.Answer, answered, ok bool) {
	seq, s, ok := d.requestOf(stream)
	if !ok {
		return a, false, false
	}
	reader := &d.block
	if s != nil && s.status != 0 {
		reader = &d.trailers
	}
	m, ok := reader.recall(block)
	if !ok || s == nil {
		return a, false, ok
	}
	interim := 100 <= m.Status && m.Status < 200
	trailers := s.status != 0
	switch {
	case m.Bad, trailers && (m.Status != 0 || !end), !trailers && m.Status == 0,
		interim && (end || m.Status == 101): // RFC 9113 sections 8.1 and 8.6
		return d.fault(seq, s, load.Malformed, !end), true, true
	case !trailers && !interim:
		s.status, s.length, s.grpc = m.Status, m.Length, m.GRPC
		d.beginStream(s, m.Events)
		if s.body == nil && d.protocol.call == nil {
			s.refused = d.protocol.checks.Refused(s.status)
		}
	case trailers:
		s.grpc.Trailers(m.GRPC)
	}
	if !end {
		a, answered = d.streamed(seq, s)
		return a, answered, true
	}
	return d.finish(seq, s), true, true
}

// wasReset reads a RST_STREAM frame: RFC 9113 section 6.4.
func (d *dialog) wasReset(f Frame, in []byte) (a load.Answer, answered, ok bool) {
	seq := uint64(f.Stream / 2)
	if f.Length != 4 || f.Stream%2 == 0 || seq >= d.streams.next {
		return a, false, false
	}
	s := d.streams.at(seq)
	if s == nil {
		return a, false, true // the server needs no rest of the request
	}
	cause, unread := load.WrongStatus, false
	switch {
	case d.protocol.call != nil:
		unread = s.status == 0 && binary.BigEndian.Uint32(in) == refused
		s.status = load.FirstGRPCCode + grpcOfReset(binary.BigEndian.Uint32(in), s.due)
	case s.status != 0:
		cause = load.WrongLength
	case binary.BigEndian.Uint32(in) == refused:
		unread = true
	}
	if unread {
		d.protocol.unread.Put(s.turn, d.walk != nil)
	}
	a = d.fault(seq, s, cause, false)
	a.Again = unread
	return a, true, true
}

// goAway reads a GOAWAY frame: RFC 9113 section 6.8. The server answers requests up to a
// stream that it names, and may lower that with another GOAWAY.
func (d *dialog) goAway(f Frame, in []byte) (a load.Answer, answered, ok bool) {
	if f.Length < 8 || f.Stream != 0 {
		return a, false, false
	}
	limit := (uint64(binary.BigEndian.Uint32(in)&^(1<<31)) + 1) / 2
	if !d.peer.leaving || limit < d.peer.limit {
		for seq := max(limit, d.streams.oldest); seq < d.streams.next &&
			(!d.peer.leaving || seq < d.peer.limit); seq++ {
			if s := d.streams.at(seq); s != nil {
				d.protocol.unread.Put(s.turn, d.walk != nil)
			}
		}
		d.peer.leaving, d.peer.limit = true, limit
	}
	// What is left, if anything, will not be answered; some of it may not even be sent.
	return load.Answer{Partial: true, Close: d.last(), Leaving: true, Unread: d.peer.limit}, true, true
}

// settings reads a SETTINGS frame: RFC 9113 section 6.5.
func (d *dialog) settings(f Frame, in []byte) bool {
	if f.Stream != 0 || f.Length%6 != 0 {
		return false
	}
	if f.Has(ack) {
		return f.Length == 0
	}
	if !d.peer.known {
		d.peer.known, d.peer.streams = true, streams // without a word on it, no bound
	}
	for ; len(in) > 0; in = in[6:] {
		value := binary.BigEndian.Uint32(in[2:])
		switch binary.BigEndian.Uint16(in) {
		case maxStreams:
			d.peer.streams = min(value, streams)
		case initialWindow:
			if value > maxWindow {
				return false
			}
			d.peer.window, d.opened = int64(value), true
		case maxFrameSize:
			if value < maxFrame || value > 1<<24-1 {
				return false
			}
		case enablePush:
			if value != 0 { // a server cannot allow us to push
				return false
			}
		}
	}
	d.control = Frame{Kind: settingsFrame, flags: ack}.append(d.control)
	return true
}

// ping reads a PING frame: RFC 9113 section 6.7.
func (d *dialog) ping(f Frame, in []byte) bool {
	if f.Stream != 0 || f.Length != 8 {
		return false
	}
	if !f.Has(ack) {
		d.control = Frame{Length: 8, Kind: ping, flags: ack}.append(d.control)
		d.control = append(d.control, in...)
	}
	return true
}

// windowUpdate reads a WINDOW_UPDATE frame: RFC 9113 section 6.9.
func (d *dialog) windowUpdate(f Frame, in []byte) bool {
	if f.Length != 4 {
		return false
	}
	more := int64(binary.BigEndian.Uint32(in) &^ (1 << 31))
	d.opened = true
	if f.Stream == 0 {
		d.sendWindow += more
		return more > 0 && d.sendWindow <= maxWindow
	}
	seq := uint64(f.Stream / 2)
	if f.Stream%2 == 0 || seq >= d.streams.next {
		return false
	}
	s := d.streams.at(seq)
	if s == nil {
		return true
	}
	s.credit += more
	return more > 0 && d.peer.window+s.credit-int64(s.sent) <= maxWindow
}
