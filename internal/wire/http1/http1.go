package http1

import (
	"bytes"
	"hash/maphash"
	"net/url"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/internal/wire/httpmsg"
	"github.com/gohone/hone/internal/wire/turns"
	"github.com/gohone/hone/load"
)

// HTTP is HTTP/1.1 over plain TCP, kept alive. A depth over 1 pipelines requests
// (RFC 9112 section 9.3.2); answers come in order. With a header "Connection: close"
// each connection carries one request.
//
// {name} in the path or query of a URL, in the value of a header or in the body stands
// for the column of that name in Options.Feed. It is percent-encoded in a URL, where a
// slash in it is data and not a separator, and goes into headers and bodies as it is.
// Braces around anything else are plain text, except that a {word} in a URL must be a
// column: a misspelt one would load the wrong address.
//
// The targets of a mix take turns by weight, spread evenly and not in blocks. Each
// connection begins at another turn of the round and at another row of the feed; each
// target walks through all the rows by itself. A connection that replaces a lost one
// goes on where that stood.
var HTTP = &wire.Scheme{
	Name:    "http",
	Doc:     "HTTP/1.1, kept alive; a status of 400 or more is a wrong answer unless it is expected",
	Example: httpmsg.Example,
	Port:    httpmsg.DefaultPort,
	New:     New,
}

// New is HTTP/1.1 over whatever the scheme of u connects with. The path of u is
// taken as the user wrote it (RawPath, where it is set), its Host as the address.
func New(u *url.URL, o wire.Options) (load.Protocol, error) {
	if o.Sequence {
		return newSteps(u, o)
	}
	heads := 0
	mix, checks, all, err := httpmsg.Requests(u, o, func(u *url.URL, o wire.Options) (*request, bool, error) {
		if o.Method == "HEAD" {
			heads++
		}
		return newRequest(u, o)
	})
	if err != nil {
		return nil, err
	}
	p := &protocol{mix: mix, requests: all, checks: checks, head: heads > 0, once: httpmsg.AsksToClose(o.Headers),
		streams: o.Streams}
	if len(all) == 1 && !mix.Shared {
		p.only = all[0].fixed
	}
	return p, nil
}

// protocol is what all connections share.
type protocol struct {
	mix      *httpmsg.Mix
	requests []*request // by target of the mix
	only     []byte     // the request where there is one target and no column in it; nil otherwise
	checks   *answer.Checks
	head     bool // a method is HEAD: answers have no body
	once     bool // a connection carries one request
	// streams says which answers are streams.
	streams wire.Streams
}

// Dialog implements load.Protocol.
func (p *protocol) Dialog(conn int) load.Dialog {
	d := &dialog{protocol: p, once: p.once}
	d.answers.streams, d.answers.checks = &p.streams, p.checks
	d.answers.head, d.answers.body = p.head, p.checks.NewBody()
	if p.mix.Heads != nil {
		d.heads = &heads{}
	}
	if p.only == nil {
		d.walk = p.mix.Walk(conn)
	}
	if p.once {
		return &once{d}
	}
	return d
}

// Targets implements load.Several.
func (p *protocol) Targets() []string { return p.mix.Labels }

var _ wire.Noter = (*protocol)(nil)

// Notes implements Noter.
func (p *protocol) Notes() []string { return p.checks.First.Notes() }

// dialog matches answers to requests in order.
type dialog struct {
	protocol   *protocol   // nil in a sequence
	walk       *turns.Walk // nil: all requests are the same
	sent, next uint64
	once       bool
	answers    reader
	heads      *heads // nil: all or none of the requests are HEAD
	row        int    // of the target of the last request
	length     int64  // of the last body that came in pieces
}

// BodyLength is that of the last answer, for a Tap that has only the front of it. What came in
// one piece has it in its head.
func (d *dialog) BodyLength() int64 { return d.length }

// AppendRequest implements load.Dialog.
func (d *dialog) AppendRequest(dst []byte, seq uint64) []byte {
	d.sent = seq + 1
	if d.walk == nil {
		return append(dst, d.protocol.only...)
	}
	dst, target := d.protocol.appendNext(dst, d.walk)
	d.row = d.protocol.mix.RowOf[target]
	if d.heads != nil {
		d.heads.push(d.protocol.mix.Heads[target])
	}
	return dst
}

// Target implements load.Chooser.
func (d *dialog) Target() int { return d.row }

// NextAnswer implements load.Dialog.
func (d *dialog) NextAnswer(in []byte, eof bool) (int, load.Answer) {
	r := &d.answers
	if d.heads != nil && r.state == statusLine {
		d.heads.begin(r)
	}
	if r.state == statusLine && r.memo.repeats(in) { // nearly always
		a := r.memo.answer
		if r.sum != nil {
			r.sum.Write(in[len(r.memo.head):r.memo.total])
		}
		a.Seq = d.turn()
		return r.memo.total, a
	}
	if d.next == d.sent && isTimeout(in) {
		return len(in), load.Answer{Partial: true, Close: true}
	}
	n, end := r.read(in, eof)
	switch {
	case end.broken && d.startsLate(in):
		return n, load.Answer{Cause: load.ExtraBytes, Partial: true, Close: true}
	case end.broken:
		d.tellForeign(in, end)
		return n, load.Answer{Seq: d.turn(), Cause: end.cause, Close: true}
	case !end.done && r.stream.On:
		return d.streamed(in, n)
	case !end.done:
		return n, load.Answer{Partial: n > 0}
	}
	d.length = end.length
	a := load.Answer{Cause: r.checks.Cause(end.status, end.length, r.looks()), Code: end.status,
		Close: end.close || d.once}
	r.stream.Tell(&a)
	r.memo.settle(a)
	a.Seq = d.turn()
	return n, a
}

// tellForeign says what came instead of HTTP/1.1.
func (d *dialog) tellForeign(in []byte, end ending) {
	checks := d.answers.checks // nil in a sequence that has not begun
	if checks == nil || end.cause != load.Malformed || !checks.First.Open() {
		return
	}
	if other := httpmsg.OtherProtocol(in); other != "" && other != httpmsg.HTTP1 {
		checks.First.Tell("the server speaks no HTTP/1.1 on this port, it sent %s: %s", other, answer.Front(in))
		return
	}
	checks.First.Tell("what came is not HTTP/1.1: %s", answer.Front(in))
}

// streamed tells what came of a stream with the n bytes that were read, and ends it where that was asked for: nothing
// after them is looked at, and the connection goes.
func (d *dialog) streamed(in []byte, n int) (int, load.Answer) {
	r := &d.answers
	a, ended := r.stream.Report(d.next)
	a.Partial = n > 0
	if !ended {
		return n, a
	}
	d.length = r.got
	a.Cause, a.Code = r.checks.Cause(r.status, r.got, r.looks()), r.status
	a.Seq, a.Partial, a.Close = d.turn(), false, true
	return len(in), a
}

// isTimeout says that in is a server's last word on a connection that was idle for too
// long (RFC 9110 section 15.5.9). It answers no request.
func isTimeout(in []byte) bool {
	const version, status = "HTTP/1.1", " 408"
	return len(in) >= len(version)+len(status) && string(in[:7]) == version[:7] &&
		string(in[len(version):len(version)+len(status)]) == status
}

// startsLate says that in begins with bytes that belong to the answer before, which was
// longer than its head said: an empty line, or some in front of a status line.
func (d *dialog) startsLate(in []byte) bool {
	end := bytes.IndexByte(in, '\n')
	if d.next == 0 || d.answers.state != statusLine || end < 0 {
		return false
	}
	line := bytes.TrimRight(in[:end], "\r")
	return len(line) == 0 || bytes.Contains(line, []byte("HTTP/1."))
}

// turn is the request whose answer comes next, and moves on after it. There may be none
// outstanding, which the engine knows.
func (d *dialog) turn() uint64 {
	seq := d.next
	if seq < d.sent {
		d.next++
		if d.heads != nil {
			d.heads.end()
		}
	}
	return seq
}

// once is the dialog of a connection that ends after its first answer: more
// requests would be lost with it.
type once struct{ *dialog }

var _ load.Controller = (*once)(nil)

// AppendControl implements load.Controller.
func (d *once) AppendControl(dst []byte) []byte { return dst }

// Room implements load.Controller.
func (d *once) Room() int {
	if d.sent > 0 {
		return 0
	}
	return 1
}

// HTTPS is HTTP over TLS.
var HTTPS = &wire.Scheme{
	Name:    "https",
	Doc:     "HTTP/1.1 over TLS; --http2 and --set http3 choose HTTP/2 and HTTP/3; TLS sessions are resumed",
	Example: "https://127.0.0.1:8443/path",
	Port:    "443",
	New:     New,
}

// Unix is HTTP/1.1 over a Unix socket.
var Unix = &wire.Scheme{
	Name:    "unix",
	Doc:     "HTTP/1.1 over a Unix socket; framed+unix:PATH and the like speak another protocol over one",
	Example: "unix:/run/app.sock:/path",
	New:     New,
}

// SumBodies has the bytes of each body added to sum, which the caller resets; nil ends that.
func (d *dialog) SumBodies(sum *maphash.Hash) { d.answers.sum = sum }

// HTTPVersion says how what goes over a connection is read, see tap.Tap.
func (p *protocol) HTTPVersion() int { return 1 }
