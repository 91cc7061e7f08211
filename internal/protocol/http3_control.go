package protocol

import (
	"github.com/quic-go/quic-go/quicvarint"

	"github.com/gohone/hone/internal/quicconn"
	"github.com/gohone/hone/load"
)

// http3Push is a stream that the server opened to this side alone: RFC 9114 section 6.2.
type http3Push struct {
	known  bool
	kind   uint64 // its type
	frames http3Frames
}

// The types of such streams: RFC 9114 section 6.2 and RFC 9204 section 4.2. Those of other types are ignored.
const (
	http3ControlStream = 0x00
	http3PushStream    = 0x01
	http3EncoderStream = 0x02
	http3DecoderStream = 0x03
)

// push takes what came on a stream that the server opened.
func (d *http3Dialog) push(r quicconn.Piece) (a load.Answer, answered bool) {
	p := d.pushed[r.Stream]
	if p == nil {
		p = &http3Push{}
		d.pushed[r.Stream] = p
	}
	in := r.Data
	if !p.known {
		var whole bool
		if in, whole = p.begin(in); !whole {
			return a, false
		}
		if p.kind == http3PushStream || p.kind <= http3DecoderStream && d.twice(p) {
			return d.broken(), true // nothing may be pushed, and each of the others is there once
		}
	}
	if r.Kind == quicconn.PushLast {
		if p.kind <= http3DecoderStream { // they are there as long as the connection is
			return d.broken(), true
		}
		delete(d.pushed, r.Stream)
		return a, false
	}
	if p.kind == http3ControlStream {
		return d.controls(&p.frames, in)
	}
	return a, false // of QPACK only what needs a dynamic table would matter
}

// begin reads the type of the stream.
func (p *http3Push) begin(in []byte) (rest []byte, whole bool) {
	had := len(p.frames.front)
	front := append(p.frames.front, in[:min(len(in), maxHTTP3FrameHead-had)]...)
	kind, n, err := quicvarint.Parse(front)
	if err != nil {
		p.frames.front = front
		return nil, false
	}
	p.known, p.kind, p.frames.front = true, kind, front[:0]
	return in[n-had:], true
}

// twice says that the server opened another stream of p's type before.
func (d *http3Dialog) twice(p *http3Push) bool {
	for _, other := range d.pushed {
		if other != p && other.known && other.kind == p.kind {
			return true
		}
	}
	return false
}

// controls reads frames of the server's control stream: RFC 9114 section 6.2.1.
func (d *http3Dialog) controls(f *http3Frames, in []byte) (a load.Answer, answered bool) {
	for len(in) > 0 {
		if f.left == 0 {
			used, whole := f.header(in)
			in = in[used:]
			if !whole {
				return a, answered
			}
			if !d.allowed(f.kind, f.left) {
				return d.broken(), true
			}
			if f.left > 0 {
				continue
			}
		}
		piece, last := f.payload(in)
		in = in[len(piece):]
		if f.kind != http3GoAway {
			continue // what settings allow is not used here
		}
		payload, ok := f.whole(piece, last)
		if !ok {
			continue
		}
		if a, answered = d.goAway(payload); a.Close { // else another may follow
			return a, true
		}
	}
	return a, answered
}

// allowed says whether a frame may stand where it does on the control stream: settings come first, and once.
func (d *http3Dialog) allowed(kind, length uint64) bool {
	if !d.settings {
		d.settings = true
		return kind == http3Settings
	}
	switch kind {
	case http3Settings, http3Data, http3Headers, http3PushPromise, http3MaxPush, 0x02, 0x06, 0x08, 0x09:
		return false
	case http3GoAway:
		return length <= 8
	}
	return true
}

// goAway reads a GOAWAY frame: RFC 9114 section 5.2. The server answers requests below one that it names, and may lower
// that with another GOAWAY.
func (d *http3Dialog) goAway(payload []byte) (a load.Answer, answered bool) {
	stream, n, err := quicvarint.Parse(payload)
	if err != nil || n != len(payload) || stream%4 != 0 || d.leaving && stream/4 > d.limit {
		return d.broken(), true
	}
	for seq, s := range d.streams {
		if seq >= stream/4 && (!d.leaving || seq < d.limit) {
			d.protocol.unread.put(s.turn, d.walk != nil)
		}
	}
	d.leaving, d.limit = true, stream/4
	// What is left, if anything, will not be answered; some of it may not even be sent.
	return load.Answer{Partial: true, Close: d.last(), Leaving: true, Unread: d.limit}, true
}
