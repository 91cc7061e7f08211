package http2

import (
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// grpcMessages is a connection with one call of a method that streams both ways. Each message that it sends is a
// request, which the next message of the server answers. The call lasts as long as the connection: when the server ends
// it, the connection is replaced.
type grpcMessages struct {
	dialog
	protocol *grpcProtocol
	// sent and answered count messages of this call.
	sent, answered uint64
	// copies says that request and answer hold the content of the last messages, for a Tap: frames of HTTP/2 may end
	// within a message.
	copies          bool
	request, answer []byte
}

var _ load.Controller = (*grpcMessages)(nil)

// checkEach refuses what has no meaning where each message is a request.
func (p *grpcProtocol) checkEach() error {
	o := p.options
	refuse := func(what, hint string) error {
		return fail.New(fail.BadInput, "%s, and with --set grpc.each-message a call lasts as long as its connection",
			what).WithHint("%s", hint)
	}
	switch {
	case o.GRPC.Deadline > 0:
		return refuse("--set grpc.deadline limits a call", "leave out --set grpc.deadline; timeout limits each answer")
	case len(o.Expect.Status) > 0:
		return refuse("expect-status is about the end of a call", "leave it out; expect-json checks each message")
	case wire.IsSet(o.Streams):
		return refuse("options of streams are about calls",
			"leave out --set stream, --set stream.messages and --set stream.for, or --set grpc.each-message")
	case p.requests[0].fill != nil && !p.requests[0].fill.fixedHead():
		return refuse("a header takes a column of the feed, which is another one for each message",
			"leave the column out of -H")
	}
	return nil
}

// Dialog implements load.Protocol.
func (p *grpcProtocol) Dialog(conn int) load.Dialog {
	d := p.protocol.dialog(conn)
	if !p.options.GRPC.EachMessage {
		return d
	}
	return &grpcMessages{dialog: *d, protocol: p}
}

// AppendRequest implements load.Dialog: the first request opens the call.
func (d *grpcMessages) AppendRequest(dst []byte, seq uint64) []byte {
	dst = d.AppendControl(dst)
	r, row, with, _ := d.dialog.protocol.turn(d.walk)
	var s *stream
	if seq == 0 {
		s = d.streams.open(0)
		s.goesOn = true
		s.messages.each = true
		s.messages.copies = d.copies
		dst = r.append(dst, ID(0), true, row, with, s)
	} else {
		s = d.streams.at(0)
		s.content = r.bodyOf(row)
	}
	if d.copies {
		d.request = append(d.request[:0], s.content...)
	}
	// What was sent leaves the buffer, and the windows count on.
	s.buffer = append(append(s.buffer[:0], s.buffer[min(s.sent, len(s.buffer)):]...), s.content...)
	s.content, s.credit, s.sent = s.buffer, s.credit-int64(s.sent), 0
	d.sent++
	if dst = d.appendBody(dst, 0, s); s.sent < len(s.content) && len(d.bodies) == 0 {
		d.bodies = append(d.bodies, 0)
	}
	return dst
}

// Room implements load.Controller: as many messages as the windows hold, of the largest kind.
func (d *grpcMessages) Room() int {
	switch {
	case d.sent == 0:
		return d.dialog.Room()
	case !d.peer.known || d.peer.leaving || len(d.bodies) > 0:
		return 0
	}
	s := d.streams.at(0)
	if s == nil {
		return 0
	}
	window := min(d.sendWindow, d.peer.window+s.credit-int64(s.sent))
	if window <= 0 {
		return 0
	}
	return int(max(1, window/int64(d.protocol.largest)))
}

// NextAnswer implements load.Dialog.
func (d *grpcMessages) NextAnswer(in []byte, eof bool) (int, load.Answer) {
	n := 0
	for {
		used, a := d.dialog.NextAnswer(in[n:], false)
		n += used
		switch {
		case a.Partial && a.Messages > 0:
			if a = d.message(); a.Close {
				n = len(in) // what follows the last answer does not belong to it
			}
			return n, a
		case !a.Partial && used > 0 || a.Close:
			return len(in), d.ended(a)
		case used > 0:
		case d.peer.leaving && d.answered == d.sent && !eof:
			return n, load.Answer{Partial: true, Close: true}
		default:
			return n, load.Answer{Partial: n > 0}
		}
	}
}

// message is the answer that one message is.
func (d *grpcMessages) message() load.Answer {
	s := d.streams.at(0)
	m, call := &s.messages, d.protocol.call
	a := load.Answer{Seq: d.answered, Code: load.FirstGRPCCode}
	switch {
	case m.compressed:
		call.compressed.Add(1)
		a.Cause = load.Malformed
	case call.length >= 0 && m.size != call.length:
		a.Cause = load.WrongLength
	case m.wrong:
		a.Cause = load.WrongBody
	}
	if d.copies {
		d.answer = append(d.answer[:0], m.kept...)
	}
	m.next()
	if d.answered == d.sent { // more answers than messages: which is whose is lost
		a.Cause, a.Close = load.Unsolicited, true
		return a
	}
	d.answered++
	a.Close = d.peer.leaving && d.answered == d.sent // all that was asked is answered, and the server wants to go
	return a
}

// ended is the end of the call, or of the connection: the oldest message without an answer has the status of the call.
func (d *grpcMessages) ended(a load.Answer) load.Answer {
	a.Close, a.Messages, a.Begun = true, 0, false
	if a.Cause == load.Malformed || a.Cause == load.ExtraBytes {
		a.Seq = d.answered
		return a
	}
	if d.answered >= d.sent || a.Partial {
		return load.Answer{Partial: true, Close: true}
	}
	a.Seq = d.answered
	if a.Cause == load.OK { // the call succeeded, without this answer
		a.Cause = load.WrongLength
	}
	return a
}

// CopyMessages makes the dialog copy the content of each request and answer, for a tap.
func (d *grpcMessages) CopyMessages() { d.copies = true }

// CopiedRequest is the content of the last request.
func (d *grpcMessages) CopiedRequest() []byte { return d.request }

// CopiedAnswer is the content of the last answer.
func (d *grpcMessages) CopiedAnswer() []byte { return d.answer }

// HTTPVersion says how what goes over a connection is read, see tap.Tap.
func (p *grpcProtocol) HTTPVersion() int {
	if p.options.GRPC.EachMessage {
		return 0
	}
	return 2
}
