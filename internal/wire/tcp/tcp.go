package tcp

import (
	"net/url"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// TCP is any protocol whose frames carry their length, as Options.Frame describes it.
//
// Options.Body is one whole request frame as it goes on the wire, its length field
// included: the bytes of the field are there, and hone writes the length into them,
// whatever they hold. With an id field, hone writes the number of the request on its
// connection there, from 0, modulo the field's width.
//
// Answers are matched by id in any order, or come in the order of the requests. An id
// stands for the last request sent that has it, so no more requests may be on their way
// than there are ids: with an id of one byte the engine's window (16 times the depth)
// stays below 256 up to a depth of 15. An id that belongs to no outstanding request
// settles none: it counts as wrong id, and the request that it should have answered
// stays unanswered.
var TCP = &wire.Scheme{
	Name:    "tcp",
	Doc:     "any length-prefixed protocol, described by --set tcp.width=4 and other keys; --body is the whole frame of the request",
	Example: example,
	New:     newTCP,
}

const example = "tcp://127.0.0.1:9000"

// newTCP builds the request from the body and the description of frames.
func newTCP(u *url.URL, o wire.Options) (load.Protocol, error) {
	if err := wire.NoPath("tcp", u, example, ""); err != nil {
		return nil, err
	}
	if err := validate(o.Frame); err != nil {
		return nil, fail.New(fail.BadInput, "description of frames: %w", err).
			WithHint("describe frames with --set tcp.offset, --set tcp.width, --set tcp.little, --set tcp.counts and --set tcp.header; "+
				"a 4-byte big-endian length of all after it, %s --body hex:0000000161, needs none of them", example)
	}
	if len((&wire.Options{Raw: o.Raw}).Columns(string(o.Body))) > 0 {
		return nil, fail.New(fail.BadInput,
			"the frame holds a place such as {n}, and frames of tcp:// are bytes that stay as they are").
			WithHint("--set raw sends braces as they are; --set tcp.id-offset and --set tcp.id-width put the number of the request into frames")
	}
	if len(o.Body) == 0 {
		return nil, fail.New(fail.BadInput, "tcp needs a request").
			WithHint("give its whole frame with --body hex:BYTES or --body @FILE; hone writes the length into it")
	}
	l := layoutOf(o.Frame)
	request, err := l.request(o.Body)
	if err != nil {
		return nil, fail.New(fail.BadInput, "request of %d bytes: %w", len(o.Body), err).
			WithHint("--body is the whole frame: the bytes of the length field are part of it, and hone fills them in")
	}
	return protocol{request: request, layout: l}, nil
}

// protocol holds what all connections share; it is never written to.
type protocol struct {
	request []byte
	layout  *layout
}

// Dialog implements load.Protocol.
func (p protocol) Dialog(int) load.Dialog { return &dialog{protocol: p} }

// whole is the size of a frame up to which an answer is waited for as a whole. A
// larger one is consumed as it comes, so that a connection need not hold it.
const whole = 16 << 10

type dialog struct {
	protocol
	// sent is the number of the next request, next that of the request whose answer is
	// due where there are no ids.
	sent, next uint64
	// large is an answer that is consumed in pieces: left is what is still to come of
	// it, pos what has gone.
	large     load.Answer
	left, pos int
}

// AppendRequest implements load.Dialog.
func (d *dialog) AppendRequest(dst []byte, seq uint64) []byte {
	at := len(dst)
	dst = append(dst, d.request...)
	if l := d.layout; l.id.Width > 0 {
		l.id.Put(dst[at:], seq)
	}
	d.sent = seq + 1
	return dst
}

// NextAnswer implements load.Dialog.
func (d *dialog) NextAnswer(in []byte, eof bool) (int, load.Answer) {
	l := d.layout
	if len(in) >= l.head && d.left == 0 {
		if size := l.size(in); l.head <= size && size <= len(in) { // nearly always: a whole answer
			seq, cause := d.next, load.OK
			if l.id.Width > 0 {
				seq = d.byID(l.id.Get(in))
			} else if seq < d.sent {
				d.next++
			}
			if l.checks {
				cause = l.check(in[:size])
			}
			return size, load.Answer{Seq: seq, Cause: cause}
		}
	}
	return d.odd(in, eof)
}

// odd reads anything but a whole frame that has room for all fields.
func (d *dialog) odd(in []byte, eof bool) (int, load.Answer) {
	l := d.layout
	if d.left > 0 {
		return d.more(in, eof)
	}
	if len(in) < l.length.End() {
		return d.wait(in, eof, false)
	}
	size := l.size(in)
	switch {
	case size < 0:
		return l.length.End(), load.Answer{Seq: d.unknown(), Cause: load.Malformed, Close: true}
	case size < l.head: // no room for the id
		if len(in) < size {
			return d.wait(in, eof, false)
		}
		return size, load.Answer{Seq: d.unknown(), Cause: load.WrongLength}
	case size <= whole || len(in) < l.head:
		return d.wait(in, eof, len(in) >= l.head)
	}
	d.large = load.Answer{Seq: d.match(in), Cause: l.checkSize(size)}
	d.left, d.pos = size, 0
	return d.more(in, eof)
}

// wait is for an answer that is not whole. At the end of the connection it was cut off;
// known says that its id is there.
func (d *dialog) wait(in []byte, eof, known bool) (int, load.Answer) {
	if !eof || len(in) == 0 {
		return 0, load.Answer{}
	}
	a := load.Answer{Seq: d.unknown(), Cause: load.WrongLength, Close: true}
	if known {
		a.Seq = d.match(in)
	}
	return len(in), a
}

// more consumes a piece of a large answer.
func (d *dialog) more(in []byte, eof bool) (int, load.Answer) {
	n := min(d.left, len(in))
	if d.large.Cause == load.OK && !d.layout.checkPiece(in[:n], d.pos) {
		d.large.Cause = load.WrongBody
	}
	d.left -= n
	d.pos += n
	switch {
	case d.left == 0:
		return n, d.large
	case eof:
		return n, load.Answer{Seq: d.large.Seq, Cause: load.WrongLength, Close: true}
	default:
		return n, load.Answer{Partial: n > 0}
	}
}

// match finds the request that the answer at the front of in belongs to.
func (d *dialog) match(in []byte) uint64 {
	if d.layout.id.Width > 0 {
		return d.byID(d.layout.id.Get(in))
	}
	seq := d.next
	if seq < d.sent {
		d.next++
	}
	return seq
}

// byID finds the request with an id.
func (d *dialog) byID(id uint64) uint64 { return d.layout.id.Request(id, d.sent) }

// unknown is for an answer that cannot be matched: where order counts, the one that is
// due; else a request that was never sent, so that it settles none.
func (d *dialog) unknown() uint64 {
	if d.layout.id.Width == 0 {
		return d.next
	}
	return d.sent
}
