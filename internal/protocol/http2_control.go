package protocol

import (
	"encoding/binary"

	"github.com/gohone/hone/load"
)

// headers reads a HEADERS frame: RFC 9113 section 6.2.
func (d *http2Dialog) headers(f http2Frame, in []byte) (a load.Answer, answered, ok bool) {
	if f.has(http2Padded) {
		if len(in) == 0 || int(in[0]) >= len(in) {
			return a, false, false
		}
		in = in[1 : len(in)-int(in[0])]
	}
	if f.has(http2HasPriority) {
		if len(in) < 5 {
			return a, false, false
		}
		in = in[5:]
	}
	if f.has(http2EndHeaders) {
		return d.head(f.stream, in, f.has(http2EndStream))
	}
	if _, _, ok := d.requestOf(f.stream); !ok {
		return a, false, false
	}
	d.partsOf, d.partsEnds = f.stream, f.has(http2EndStream)
	d.parts = append(d.parts[:0], in...)
	return a, false, true
}

// continuation reads a CONTINUATION frame: RFC 9113 section 6.10.
func (d *http2Dialog) continuation(f http2Frame, in []byte) (a load.Answer, answered, ok bool) {
	d.parts = append(d.parts, in...)
	if d.partsOf == 0 || len(d.parts) > maxHead {
		return a, false, false
	}
	// A block in empty pieces would never end.
	if !f.has(http2EndHeaders) {
		return a, false, len(in) > 0
	}
	d.partsOf = 0
	return d.head(f.stream, d.parts, d.partsEnds)
}

// head takes the whole header block of an answer: its head, one ahead of it (1xx), or
// its trailers.
func (d *http2Dialog) head(stream uint32, block []byte, end bool) (a load.Answer, answered, ok bool) {
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
	interim := 100 <= m.status && m.status < 200
	trailers := s.status != 0
	switch {
	case m.bad, trailers && (m.status != 0 || !end), !trailers && m.status == 0,
		interim && (end || m.status == 101): // RFC 9113 sections 8.1 and 8.6
		return d.fault(seq, s, load.Malformed, !end), true, true
	case !trailers && !interim:
		s.status, s.length, s.grpc = m.status, m.length, m.grpc
		d.beginStream(s, m.events)
	case trailers:
		s.grpc.trailers(m.grpc)
	}
	if !end {
		a, answered = d.streamed(seq, s)
		return a, answered, true
	}
	return d.finish(seq, s), true, true
}

// wasReset reads a RST_STREAM frame: RFC 9113 section 6.4.
func (d *http2Dialog) wasReset(f http2Frame, in []byte) (a load.Answer, answered, ok bool) {
	seq := uint64(f.stream / 2)
	if f.length != 4 || f.stream%2 == 0 || seq >= d.streams.next {
		return a, false, false
	}
	s := d.streams.at(seq)
	if s == nil {
		return a, false, true // the server needs no rest of the request
	}
	cause, unread := load.WrongStatus, false
	switch {
	case d.protocol.call != nil:
		unread = s.status == 0 && binary.BigEndian.Uint32(in) == http2Refused
		s.status = load.FirstGRPCCode + grpcOfReset(binary.BigEndian.Uint32(in), s.due)
	case s.status != 0:
		cause = load.WrongLength
	case binary.BigEndian.Uint32(in) == http2Refused:
		unread = true
	}
	if unread {
		d.protocol.unread.put(s.turn, d.walk != nil)
	}
	a = d.fault(seq, s, cause, false)
	a.Again = unread
	return a, true, true
}

// goAway reads a GOAWAY frame: RFC 9113 section 6.8. The server answers requests up to a
// stream that it names, and may lower that with another GOAWAY.
func (d *http2Dialog) goAway(f http2Frame, in []byte) (a load.Answer, answered, ok bool) {
	if f.length < 8 || f.stream != 0 {
		return a, false, false
	}
	limit := (uint64(binary.BigEndian.Uint32(in)&^(1<<31)) + 1) / 2
	if !d.peer.leaving || limit < d.peer.limit {
		for seq := max(limit, d.streams.oldest); seq < d.streams.next && (!d.peer.leaving || seq < d.peer.limit); seq++ {
			if s := d.streams.at(seq); s != nil {
				d.protocol.unread.put(s.turn, d.walk != nil)
			}
		}
		d.peer.leaving, d.peer.limit = true, limit
	}
	// What is left, if anything, will not be answered; some of it may not even be sent.
	return load.Answer{Partial: true, Close: d.last(), Leaving: true, Unread: d.peer.limit}, true, true
}

// settings reads a SETTINGS frame: RFC 9113 section 6.5.
func (d *http2Dialog) settings(f http2Frame, in []byte) bool {
	if f.stream != 0 || f.length%6 != 0 {
		return false
	}
	if f.has(http2Ack) {
		return f.length == 0
	}
	if !d.peer.known {
		d.peer.known, d.peer.streams = true, http2Streams // without a word on it, no bound
	}
	for ; len(in) > 0; in = in[6:] {
		value := binary.BigEndian.Uint32(in[2:])
		switch binary.BigEndian.Uint16(in) {
		case http2MaxStreams:
			d.peer.streams = min(value, http2Streams)
		case http2InitialWindow:
			if value > http2MaxWindow {
				return false
			}
			d.peer.window, d.opened = int64(value), true
		case http2MaxFrameSize:
			if value < http2MaxFrame || value > 1<<24-1 {
				return false
			}
		case http2EnablePush:
			if value != 0 { // a server cannot allow us to push
				return false
			}
		}
	}
	d.control = http2Frame{kind: http2Settings, flags: http2Ack}.append(d.control)
	return true
}

// ping reads a PING frame: RFC 9113 section 6.7.
func (d *http2Dialog) ping(f http2Frame, in []byte) bool {
	if f.stream != 0 || f.length != 8 {
		return false
	}
	if !f.has(http2Ack) {
		d.control = http2Frame{length: 8, kind: http2Ping, flags: http2Ack}.append(d.control)
		d.control = append(d.control, in...)
	}
	return true
}

// windowUpdate reads a WINDOW_UPDATE frame: RFC 9113 section 6.9.
func (d *http2Dialog) windowUpdate(f http2Frame, in []byte) bool {
	if f.length != 4 {
		return false
	}
	more := int64(binary.BigEndian.Uint32(in) &^ (1 << 31))
	d.opened = true
	if f.stream == 0 {
		d.sendWindow += more
		return more > 0 && d.sendWindow <= http2MaxWindow
	}
	seq := uint64(f.stream / 2)
	if f.stream%2 == 0 || seq >= d.streams.next {
		return false
	}
	s := d.streams.at(seq)
	if s == nil {
		return true
	}
	s.credit += more
	return more > 0 && d.peer.window+s.credit-int64(s.sent) <= http2MaxWindow
}
