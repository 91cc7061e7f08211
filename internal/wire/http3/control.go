package http3

import (
	"github.com/quic-go/quic-go/quicvarint"

	"github.com/gohone/hone/internal/wire/quicconn"
	"github.com/gohone/hone/load"
)

// push is a stream that the server opened to this side alone: RFC 9114 section 6.2.
type push struct {
	known  bool
	kind   uint64 // its type
	frames frames
}

// The types of such streams: RFC 9114 section 6.2 and RFC 9204 section 4.2. Those of other types are ignored.
const (
	controlStream = 0x00
	pushStream    = 0x01
	encoderStream = 0x02
	decoderStream = 0x03
)

// push takes what came on a stream that the server opened.
func (d *dialog) push(r quicconn.Piece) (a load.Answer, answered bool) {
	p := d.pushed[r.Stream]
	if p == nil {
		p = &push{}
		d.pushed[r.Stream] = p
	}
	in := r.Data
	if !p.known {
		var whole bool
		if in, whole = p.begin(in); !whole {
			return a, false
		}
		if p.kind == pushStream || p.kind <= decoderStream && d.twice(p) {
			return d.broken(), true // nothing may be pushed, and each of the others is there once
		}
	}
	if r.Kind == quicconn.PushLast {
		if p.kind <= decoderStream { // they are there as long as the connection is
			return d.broken(), true
		}
		delete(d.pushed, r.Stream)
		return a, false
	}
	if p.kind == controlStream {
		return d.controls(&p.frames, in)
	}
	return a, false // of QPACK only what needs a dynamic table would matter
}

// begin reads the type of the stream.
func (p *push) begin(in []byte) (rest []byte, whole bool) {
	had := len(p.frames.front)
	front := append(p.frames.front, in[:min(len(in), maxFrameHead-had)]...)
	kind, n, err := quicvarint.Parse(front)
	if err != nil {
		p.frames.front = front
		return nil, false
	}
	p.known, p.kind, p.frames.front = true, kind, front[:0]
	return in[n-had:], true
}

// twice says that the server opened another stream of p's type before.
func (d *dialog) twice(p *push) bool {
	for _, other := range d.pushed {
		if other != p && other.known && other.kind == p.kind {
			return true
		}
	}
	return false
}

// controls reads frames of the server's control stream: RFC 9114 section 6.2.1.
func (d *dialog) controls(f *frames, in []byte) (a load.Answer, answered bool) {
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
		if f.kind != goAway {
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
func (d *dialog) allowed(kind, length uint64) bool {
	if !d.settings {
		d.settings = true
		return kind == settingsFrame
	}
	switch kind {
	case settingsFrame, Data, Headers, pushPromise, maxPush, 0x02, 0x06, 0x08, 0x09:
		return false
	case goAway:
		return length <= 8
	}
	return true
}

// goAway reads a GOAWAY frame: RFC 9114 section 5.2. The server answers requests below one that it names, and may lower
// that with another GOAWAY.
func (d *dialog) goAway(payload []byte) (a load.Answer, answered bool) {
	stream, n, err := quicvarint.Parse(payload)
	if err != nil || n != len(payload) || stream%4 != 0 || d.leaving && stream/4 > d.limit {
		return d.broken(), true
	}
	for seq, s := range d.streams {
		if seq >= stream/4 && (!d.leaving || seq < d.limit) {
			d.protocol.unread.Put(s.turn, d.walk != nil)
		}
	}
	d.leaving, d.limit = true, stream/4
	// What is left, if anything, will not be answered; some of it may not even be sent.
	return load.Answer{Partial: true, Close: d.last(), Leaving: true, Unread: d.limit}, true
}
