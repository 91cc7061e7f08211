package http3

import (
	"github.com/quic-go/quic-go/quicvarint"

	"github.com/gohone/hone/internal/wire/httpmsg"
	"github.com/gohone/hone/internal/wire/quicconn"
	"github.com/gohone/hone/internal/wire/turns"
	"github.com/gohone/hone/load"
)

// dialog is one connection's side of HTTP/3. A request's stream has the request's number.
type dialog struct {
	protocol *protocol
	walk     *turns.Walk // nil: all requests are the same
	begun    bool        // the control stream was opened
	streams  map[uint64]*stream
	free     []*stream        // of requests that are answered
	pushed   map[uint64]*push // streams that the server opened
	next     uint64           // the number of the next request
	// control holds the pieces that are due.
	control []byte
	// most is how many streams the server takes at a time; 0 if that is not known.
	most int
	// leaving says that the server has sent GOAWAY: requests from number limit on are lost then.
	leaving  bool
	rejected bool // a request was, so that no other is sent here
	limit    uint64
	settings bool   // the server's have come
	length   int64  // of the last body
	target   int    // of the last request
	block    []byte // of the request that is being built

	// heads reads the heads of answers, trailers what comes after their bodies.
	heads, trailers fields
}

// The codes of errors in use: RFC 9114 section 8.1.
const (
	cancelled = 0x10c
	rejected  = 0x10b
	message   = 0x10e
)

// preface is the control stream of a client: its type, and settings (RFC 9114 sections 6.2.1 and 7.2.4). What is not
// set there is 0: the size of the dynamic table (RFC 9204 section 5) and the number of pushes.
func preface() []byte {
	const control, maxFieldSection = 0x00, 0x06
	settings := quicvarint.Append(quicvarint.Append(nil, maxFieldSection), httpmsg.MaxHead)
	return appendFrame([]byte{control}, settingsFrame, settings)
}

var _ load.Controller = (*dialog)(nil)

// AppendRequest implements load.Dialog.
func (d *dialog) AppendRequest(dst []byte, seq uint64) []byte {
	r, taken := d.protocol.turn(d.walk)
	d.target = taken.Target
	dst = d.AppendControl(dst)
	s := d.open(seq)
	s.headOnly, s.turn = r.head, taken
	d.next = seq + 1
	at := len(dst)
	dst = quicconn.Piece{Kind: quicconn.Request, Stream: seq}.Begin(dst)
	dst, d.block = r.append(dst, taken.With, d.block)
	return quicconn.End(dst, at)
}

// Target implements load.Chooser.
func (d *dialog) Target() int { return d.protocol.mix.RowOf[d.target] }

// AppendControl implements load.Controller.
func (d *dialog) AppendControl(dst []byte) []byte {
	if !d.begun {
		d.begun = true
		dst = quicconn.Piece{Kind: quicconn.Setup, Data: preface()}.Append(dst)
	}
	dst = append(dst, d.control...)
	d.control = d.control[:0]
	return dst
}

// Room implements load.Controller. What the server's limit of streams leaves is known once a request had to wait.
func (d *dialog) Room() int {
	const plenty = 1 << 20
	switch {
	case d.leaving, d.rejected:
		return 0
	case d.most > 0:
		return max(0, d.most-len(d.streams))
	}
	return plenty
}

// NextAnswer implements load.Dialog.
func (d *dialog) NextAnswer(in []byte, eof bool) (int, load.Answer) {
	n := 0
	for {
		r, size := quicconn.Read(in[n:])
		if size == 0 {
			break
		}
		n += size
		a, answered := d.step(r)
		if answered && a.Close {
			return len(in), a // what follows a goodbye does not belong to an answer
		}
		if answered {
			return n, a
		}
	}
	if eof {
		for seq := d.oldest(); seq < d.next; seq++ {
			if s := d.streams[seq]; s != nil && s.status != 0 {
				return len(in), load.Answer{Seq: seq, Code: s.status, Cause: load.WrongLength, Close: true}
			}
		}
	}
	return n, load.Answer{Partial: n > 0}
}

// step takes one piece; answered says that a is the end of a request or of the connection.
func (d *dialog) step(r quicconn.Piece) (a load.Answer, answered bool) {
	switch r.Kind {
	case quicconn.Part, quicconn.Last:
		s := d.streams[r.Stream]
		if s == nil { // given up
			return a, false
		}
		fault := d.read(s, r.Data)
		switch last := r.Kind == quicconn.Last; {
		case fault == fatal:
			return d.broken(), true
		case fault == bad, last && (s.status == 0 || !s.between()):
			cause := load.Malformed
			if s.status != 0 && fault != bad {
				cause = load.WrongLength
			}
			return d.fault(r.Stream, s, cause, !last), true
		case last:
			return d.finish(r.Stream, s), true
		}
		return d.streamed(r.Stream, s)
	case quicconn.Reset:
		s := d.streams[r.Stream]
		if s == nil {
			return a, false
		}
		cause := load.WrongStatus
		switch {
		case r.Code() == rejected: // not looked at, mostly since a GOAWAY is on its way, on a stream of its own
			cause, d.rejected = load.Closed, true
			d.protocol.unread.Put(s.turn, d.walk != nil)
		case s.status != 0:
			cause = load.WrongLength
		}
		a = d.fault(r.Stream, s, cause, false)
		a.Again = r.Code() == rejected
		return a, true
	case quicconn.Push, quicconn.PushLast:
		return d.push(r)
	case quicconn.Limit:
		d.most = int(max(1, r.Code()))
		d.protocol.most.Store(uint64(d.most))
	}
	return a, false
}

// BodyLength is that of the last answer, for a Tap that has only the front of it.
func (d *dialog) BodyLength() int64 { return d.length }

// finish ends the request seq, whose answer is whole.
func (d *dialog) finish(seq uint64, s *stream) load.Answer {
	d.length = s.received
	cause := d.protocol.checks.Cause(s.status, s.received, s.looks())
	if s.headOnly || s.status == 204 || s.status == 304 {
		s.length = 0
	}
	if s.length >= 0 && s.length != s.received {
		cause = load.WrongLength // RFC 9114 section 4.1.2
	}
	a := load.Answer{Seq: seq, Code: s.status, Cause: cause}
	s.stream.Tell(&a)
	return d.settle(seq, a)
}

// streamed tells what is new of a stream, and ends it where that was asked for: the server is told to send no more.
func (d *dialog) streamed(seq uint64, s *stream) (a load.Answer, news bool) {
	if !s.stream.News() {
		return a, false
	}
	a, ended := s.stream.Report(seq)
	if !ended {
		return a, true
	}
	d.length = s.received
	a.Partial, a.Code, a.Cause = false, s.status, d.protocol.checks.Cause(s.status, s.received, s.looks())
	d.stop(seq, cancelled)
	return d.settle(seq, a), true
}

// stop has the server told to send no more.
func (d *dialog) stop(seq, code uint64) {
	d.control = quicconn.Piece{Kind: quicconn.Stop, Stream: seq, Data: quicconn.Code(code)}.Append(d.control)
}

// fault ends the request seq for another reason than a whole answer. stop: the server has to be told.
func (d *dialog) fault(seq uint64, s *stream, cause load.Cause, stop bool) load.Answer {
	if stop {
		d.stop(seq, message)
	}
	if s.body != nil {
		s.body.Ready()
	}
	return d.settle(seq, load.Answer{Seq: seq, Code: s.status, Cause: cause})
}

// settle closes the stream of an answer.
func (d *dialog) settle(seq uint64, a load.Answer) load.Answer {
	d.close(seq)
	a.Close = d.last()
	return a
}

// last says that the connection has nothing to wait for any more.
func (d *dialog) last() bool {
	return d.leaving && d.oldest() >= d.limit || d.rejected && len(d.streams) == 0
}

// oldest is the oldest request without an answer, or the one to come.
func (d *dialog) oldest() uint64 {
	oldest := d.next
	for seq := range d.streams {
		oldest = min(oldest, seq)
	}
	return oldest
}

// broken is the answer to bytes that make no sense: the connection cannot go on.
func (d *dialog) broken() load.Answer {
	return load.Answer{Seq: d.oldest(), Cause: load.Malformed, Close: true}
}
