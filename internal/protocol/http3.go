package protocol

import (
	"fmt"
	"net/url"
	"slices"
	"sync/atomic"

	"github.com/gohone/hone/load"
)

// newHTTP3 is HTTP/3 (RFC 9114) over a QUIC connection that quicconn gives the shape of a net.Conn: what the dialog
// appends and reads are pieces of what goes over its streams. A depth over 1 is that many concurrent streams.
//
// Each request is a stream of its own. An answer is wrong, besides what Options.Expect says, if the server resets its
// stream: WrongStatus before the answer began, WrongLength after. Requests that a GOAWAY leaves out are sent again
// on another connection, once the others are answered, and refused ones too. The server is told to use no dynamic table for header fields.
func newHTTP3(u *url.URL, o Options) (load.Protocol, error) {
	mix, checks, targets, err := httpStreams(u, o)
	if err != nil {
		return nil, err
	}
	p := &http3Protocol{mix: mix, checks: checks, streams: o.Streams}
	for _, t := range targets {
		r, err := newHTTP3Request(t.method, t.url, t.options)
		if err != nil {
			return nil, err
		}
		p.requests = append(p.requests, r)
	}
	return p, nil
}

// http3Protocol is what all connections share.
type http3Protocol struct {
	requests []*http3Request // by target of the mix
	mix      *httpMix
	checks   *httpChecks
	streams  Streams
	unread   httpUnread
	// most is the most streams that the server takes at a time on a connection, if a request had to wait for one; else 0.
	most atomic.Uint64
}

// Dialog implements load.Protocol.
func (p *http3Protocol) Dialog(conn int) load.Dialog {
	d := &http3Dialog{protocol: p, streams: map[uint64]*http3Stream{}, pushed: map[uint64]*http3Push{}}
	if len(p.requests) > 1 || p.mix.shared || p.requests[0].fill != nil {
		d.walk = p.mix.walk(conn)
	}
	return d
}

// Targets implements load.Several.
func (p *http3Protocol) Targets() []string { return p.mix.labels }

// turn returns the request that is next on the connection of w, and which it is. w is nil if all requests are the same.
func (p *http3Protocol) turn(w *httpWalk) (r *http3Request, taken httpTaken) {
	if w == nil {
		return p.requests[0], taken
	}
	taken, again := p.unread.get()
	if !again {
		n, turn := p.mix.next(w)
		if taken.target = turn.target; p.requests[turn.target].fill != nil {
			taken.row, taken.with = p.mix.fill(w, n, turn)
		}
	}
	return p.requests[taken.target], taken
}

var _ Noter = (*http3Protocol)(nil)

// Notes implements Noter.
func (p *http3Protocol) Notes() []string {
	all := []string{"portable engine, HTTP/3 by quic-go"}
	if n := p.most.Load(); n > 0 {
		all = append(all, fmt.Sprintf("the server takes %d requests at a time on a connection, its limit of streams: a greater depth was not reached", n))
	}
	return slices.Concat(all, p.unread.notes(), p.checks.first.notes())
}

// HTTPVersion says how what goes over a connection is read, see tap.Tap.
func (p *http3Protocol) HTTPVersion() int { return 3 }
