package http2

import (
	"slices"

	"github.com/gohone/hone/internal/wire/httpmsg"
	"github.com/gohone/hone/internal/wire/turns"
	"github.com/gohone/hone/load"
)

// dialog is one connection's side of HTTP/2.
type dialog struct {
	protocol *protocol
	walk     *turns.Walk // nil: all requests are the same
	begun    bool        // the preface was sent
	streams  ring
	peer     peer
	control  []byte // the frames that are due
	// owed is what was received and not given back to the server's window of the connection.
	owed int
	// resets says that we reset streams: frames for closed ones may then still come. extra
	// says that one came for a stream that the server itself had ended.
	resets, extra bool
	length        int64 // of the last body
	target        int   // of the last request

	data body
	uploads
	headerBlocks
}

// uploads are the requests whose body is not sent to its end.
type uploads struct {
	bodies []uint64 // requests whose body waits for room in a window
	opened bool     // some of them may have room now
	// sendWindow is the connection's window for bodies.
	sendWindow int64
}

// headerBlocks reads the header blocks of answers.
type headerBlocks struct {
	// block reads the heads of answers, trailers what comes after their bodies.
	block, trailers blockReader
	// parts is the front of a header block that goes on in the next frame, which is for
	// that stream (0: none) and ends the answer if ends.
	parts     []byte
	partsOf   uint32
	partsEnds bool
}

// peer is what the server said about itself.
type peer struct {
	known   bool   // its settings have come
	streams uint32 // how many may be open at a time
	window  int64  // initial window of a stream
	leaving bool   // it sent GOAWAY
	limit   uint64 // requests from this number on are lost then
}

// body is a DATA frame that is being read.
type body struct {
	seq       uint64
	left, pad int // bytes of it that are still to come
	empty     bool
	reading   bool
	end       bool // it is the last of its stream
}

// maxControl bounds what waits to be sent for a server that asks and does not read.
const maxControl = 64 << 10

var _ load.Controller = (*dialog)(nil)

// AppendRequest implements load.Dialog.
func (d *dialog) AppendRequest(dst []byte, seq uint64) []byte {
	r, row, with, target := d.protocol.turn(d.walk)
	d.target = target
	first := d.streams.next == 0
	dst = d.AppendControl(dst)
	s := d.streams.open(seq)
	s.turn = httpmsg.Taken{Target: target, Row: row, With: with}
	dst = r.append(dst, ID(seq), first, row, with, s)
	if len(s.content) == 0 {
		return dst
	}
	dst = d.appendBody(dst, seq, s)
	if s.sent < len(s.content) {
		d.bodies = append(d.bodies, seq)
	}
	return dst
}

// Target implements load.Chooser.
func (d *dialog) Target() int { return d.protocol.mix.RowOf[d.target] }

// appendBody appends what the windows let through of a request's body.
func (d *dialog) appendBody(dst []byte, seq uint64, s *stream) []byte {
	for s.sent < len(s.content) {
		window := min(d.sendWindow, d.peer.window+s.credit-int64(s.sent))
		rest := s.content[s.sent:]
		n := int(min(window, int64(len(rest)), maxFrame))
		if n <= 0 {
			break
		}
		f := Frame{Length: n, Kind: Data, Stream: ID(seq)}
		if n == len(rest) && !s.goesOn {
			f.flags = EndStream
		}
		dst = append(f.append(dst), rest[:n]...)
		s.sent += n
		d.sendWindow -= int64(n)
	}
	return dst
}

// AppendControl implements load.Controller.
func (d *dialog) AppendControl(dst []byte) []byte {
	if !d.begun {
		d.begun = true
		dst = appendHello(dst)
	}
	if len(d.control) > 0 {
		dst = append(dst, d.control...)
		d.control = d.control[:0]
	}
	if d.opened {
		d.opened = false
		waiting := d.bodies[:0]
		for _, seq := range d.bodies {
			s := d.streams.at(seq)
			if dst = d.appendBody(dst, seq, s); s.sent < len(s.content) {
				waiting = append(waiting, seq)
			}
		}
		d.bodies = waiting
	}
	return dst
}

// Room implements load.Controller. The first request goes out with the preface, the
// others when the server has said how many it takes: those beyond it would be refused.
func (d *dialog) Room() int {
	blocked := d.sendWindow <= 0 && len(d.bodies) > 0
	if d.peer.leaving || blocked || d.streams.live >= int(d.peer.streams) {
		return 0
	}
	return int(min(uint64(d.peer.streams)-uint64(d.streams.live), streams-d.streams.next))
}

// NextAnswer implements load.Dialog.
func (d *dialog) NextAnswer(in []byte, eof bool) (int, load.Answer) {
	n := 0
	for {
		used, a, answered := d.step(in[n:])
		n += used
		if answered && a.Close {
			return len(in), a // frames after a goodbye do not belong to an answer
		}
		if answered {
			return n, a
		}
		if used == 0 {
			break
		}
	}
	if eof {
		if d.begun && !d.peer.known && len(in) == 0 && d.protocol.foreign.Open() {
			d.protocol.foreign.Tell("the server closed the connection and sent nothing of HTTP/2, which begins with its settings: it may speak none on this port")
		}
		for seq := d.streams.oldest; seq < d.streams.next; seq++ {
			if s := d.streams.at(seq); s != nil && s.status != 0 {
				return len(in), load.Answer{Seq: seq, Code: s.status, Cause: load.WrongLength, Close: true}
			}
		}
	}
	return n, load.Answer{Partial: n > 0}
}

// BodyLength is that of the last answer, for a Tap that has only the front of it.
func (d *dialog) BodyLength() int64 { return d.length }

// last says that the connection has nothing to wait for any more.
func (d *dialog) last() bool {
	if d.peer.leaving {
		return d.streams.live == 0 || d.streams.oldest >= d.peer.limit
	}
	return d.streams.live == 0 && d.streams.next >= streams
}

// finish ends the request seq, whose answer is whole.
func (d *dialog) finish(seq uint64, s *stream) load.Answer {
	d.length = s.received
	code, cause := s.status, d.protocol.checks.Cause(s.status, s.received, s.looks())
	if cause == load.OK || cause == load.WrongBody || cause == load.WrongLength {
		code, cause = s.grpc.Judge(d.protocol.grpc, code, cause)
	}
	if call := d.protocol.call; call != nil {
		code, cause = call.judge(s)
	}
	if s.headOnly || s.status == 204 || s.status == 304 {
		s.length = 0
	}
	if s.length >= 0 && s.length != s.received {
		cause = load.WrongLength // RFC 9113 section 8.1.1
	}
	if s.sent < len(s.content) { // answered before it was asked to the end
		d.reset(seq, cancel)
	}
	a := d.settle(seq, load.Answer{Seq: seq, Code: code, Cause: cause})
	if s.stream != nil {
		s.stream.Tell(&a)
	}
	return a
}

// fault ends the request seq for another reason than a whole answer. reset: the server
// has to be told.
func (d *dialog) fault(seq uint64, s *stream, cause load.Cause, reset bool) load.Answer {
	if reset {
		d.reset(seq, protocolError)
	}
	if s.body != nil {
		s.body.Ready()
	}
	return d.settle(seq, load.Answer{Seq: seq, Code: s.status, Cause: cause})
}

// settle closes the stream of an answer.
func (d *dialog) settle(seq uint64, a load.Answer) load.Answer {
	d.streams.close(seq)
	if i := slices.Index(d.bodies, seq); i >= 0 {
		d.bodies = slices.Delete(d.bodies, i, i+1)
	}
	a.Close = d.last()
	return a
}

func (d *dialog) reset(seq uint64, code uint32) {
	d.resets = true
	d.control = appendWord(d.control, reset, ID(seq), code)
}

// broken is the answer to bytes that make no sense: the connection cannot go on.
func (d *dialog) broken() load.Answer {
	if d.extra {
		return load.Answer{Cause: load.ExtraBytes, Partial: true, Close: true}
	}
	return load.Answer{Seq: d.streams.oldest, Cause: load.Malformed, Close: true}
}
