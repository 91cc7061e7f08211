package http2

import (
	"net/url"
	"slices"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/internal/wire/httpmsg"
	"github.com/gohone/hone/internal/wire/turns"
	"github.com/gohone/hone/load"
)

// New is HTTP/2 (RFC 9113) over whatever the scheme of u connects with: with prior
// knowledge over plain connections, after ALPN over TLS. A depth over 1 is that many
// concurrent streams.
//
// The requests of a connection are its streams 1, 3, 5 and so on. A body that is larger
// than the server's windows follows as they open; its request counts as sent with its
// first part. An answer is wrong, besides what Options.Expect says, if the server resets
// its stream: WrongStatus before the answer began, WrongLength after. Streams that a
// GOAWAY leaves out are sent again on another connection, once the others are answered, and refused ones at once.
// An answer with a status of gRPC is judged by that as well, see httpmsg.GRPCStatus.
func New(u *url.URL, o wire.Options) (load.Protocol, error) {
	mix, checks, requests, err := httpmsg.Requests(u, o, newRequest)
	if err != nil {
		return nil, err
	}
	return &protocol{requests: requests, mix: mix, checks: checks, grpc: httpmsg.AsksForGRPC(o.Headers),
		streams: o.Streams}, nil
}

// protocol is what all connections share.
type protocol struct {
	requests []*request // by target of the mix
	mix      *httpmsg.Mix
	checks   *answer.Checks
	grpc     bool      // requests have a content type of gRPC
	call     *grpcCall // what a call of gRPC answers; nil for other requests
	streams  wire.Streams
	unread   httpmsg.Unread
	foreign  answer.First // what came instead of HTTP/2
}

// Dialog implements load.Protocol.
func (p *protocol) Dialog(conn int) load.Dialog { return p.dialog(conn) }

func (p *protocol) dialog(conn int) *dialog {
	d := &dialog{protocol: p, uploads: uploads{sendWindow: window}, peer: peer{window: window, streams: 1}}
	d.streams.checks, d.streams.call = p.checks, p.call
	if p.walks() {
		d.walk = p.mix.Walk(conn)
	}
	return d
}

// Targets implements load.Several.
func (p *protocol) Targets() []string { return p.mix.Labels }

// Notes implements Noter.
func (p *protocol) Notes() []string {
	return slices.Concat(p.foreign.Notes(), p.unread.Notes(), p.checks.First.Notes())
}

// walks says that requests of a connection differ.
func (p *protocol) walks() bool {
	return len(p.requests) > 1 || p.mix.Shared || p.requests[0].fill != nil
}

// turn returns the request that is next on the connection of w, the number of its row of the feed, and that of its
// target. w is nil if all requests are the same.
func (p *protocol) turn(w *turns.Walk) (r *request, row int, with wire.Fill, target int) {
	if w == nil {
		return p.requests[0], 0, wire.Fill{}, 0
	}
	if t, ok := p.unread.Get(); ok {
		return p.requests[t.Target], t.Row, t.With, t.Target
	}
	n, turn := p.mix.Next(w)
	r = p.requests[turn.Target]
	if r.fill == nil {
		return r, 0, wire.Fill{}, turn.Target
	}
	row, with = p.mix.Fill(w, n, turn)
	return r, row, with, turn.Target
}

// HTTPVersion says how what goes over a connection is read, see tap.Tap.
func (p *protocol) HTTPVersion() int { return 2 }
