package http3

import (
	"fmt"
	"net/url"
	"slices"
	"sync/atomic"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/internal/wire/httpmsg"
	"github.com/gohone/hone/internal/wire/turns"
	"github.com/gohone/hone/load"
)

// New is HTTP/3 (RFC 9114) over a QUIC connection that quicconn gives the shape of a net.Conn: what the dialog
// appends and reads are pieces of what goes over its streams. A depth over 1 is that many concurrent streams.
//
// Each request is a stream of its own. An answer is wrong, besides what Options.Expect says, if the server resets its
// stream: WrongStatus before the answer began, WrongLength after. Requests that a GOAWAY leaves out are sent again on
// another connection, once the others are answered, and refused ones too. The server is told to use no dynamic table
// for header fields.
func New(u *url.URL, o wire.Options) (load.Protocol, error) {
	mix, checks, requests, err := httpmsg.Requests(u, o, newRequest)
	if err != nil {
		return nil, err
	}
	return &protocol{requests: requests, mix: mix, checks: checks, streams: o.Streams}, nil
}

// protocol is what all connections share.
type protocol struct {
	requests []*request // by target of the mix
	mix      *httpmsg.Mix
	checks   *answer.Checks
	streams  wire.Streams
	unread   httpmsg.Unread
	// most is the most streams that the server takes at a time on a connection, if a request had to wait for one; else
	// 0.
	most atomic.Uint64
}

// Dialog implements load.Protocol.
func (p *protocol) Dialog(conn int) load.Dialog {
	d := &dialog{protocol: p, streams: map[uint64]*stream{}, pushed: map[uint64]*push{}}
	if len(p.requests) > 1 || p.mix.Shared || p.requests[0].fill != nil {
		d.walk = p.mix.Walk(conn)
	}
	return d
}

// Targets implements load.Several.
func (p *protocol) Targets() []string { return p.mix.Labels }

// turn returns the request that is next on the connection of w, and which it is. w is nil if all requests are the same.
func (p *protocol) turn(w *turns.Walk) (r *request, taken httpmsg.Taken) {
	if w == nil {
		return p.requests[0], taken
	}
	taken, again := p.unread.Get()
	if !again {
		n, turn := p.mix.Next(w)
		if taken.Target = turn.Target; p.requests[turn.Target].fill != nil {
			taken.Row, taken.With = p.mix.Fill(w, n, turn)
		}
	}
	return p.requests[taken.Target], taken
}

var _ wire.Noter = (*protocol)(nil)

// Notes implements Noter.
func (p *protocol) Notes() []string {
	all := []string{"portable engine, HTTP/3 by quic-go"}
	if n := p.most.Load(); n > 0 {
		all = append(all,
			fmt.Sprintf("the server takes %d requests at a time on a connection, its limit of streams: a greater depth was not reached", n))
	}
	return slices.Concat(all, p.unread.Notes(), p.checks.First.Notes())
}

// HTTPVersion says how what goes over a connection is read, see tap.Tap.
func (p *protocol) HTTPVersion() int { return 3 }
