package protocol

import (
	"net/url"
	"slices"

	"github.com/gohone/hone/load"
)

// newHTTP2 is HTTP/2 (RFC 9113) over whatever the scheme of u connects with: with prior
// knowledge over plain connections, after ALPN over TLS. A depth over 1 is that many
// concurrent streams.
//
// The requests of a connection are its streams 1, 3, 5 and so on. A body that is larger
// than the server's windows follows as they open; its request counts as sent with its
// first part. An answer is wrong, besides what Options.Expect says, if the server resets
// its stream: WrongStatus before the answer began, WrongLength after. Streams that a
// GOAWAY leaves out are sent again on another connection, once the others are answered, and refused ones at once.
// An answer with a status of gRPC is judged by that as well, see grpcStatus.
func newHTTP2(u *url.URL, o Options) (load.Protocol, error) {
	mix, checks, targets, err := httpStreams(u, o)
	if err != nil {
		return nil, err
	}
	p := &http2Protocol{mix: mix, checks: checks, grpc: asksForGRPC(o.Headers), streams: o.Streams}
	for _, t := range targets {
		r, err := newHTTP2Request(t.method, t.url, t.options)
		if err != nil {
			return nil, err
		}
		p.requests = append(p.requests, r)
	}
	return p, nil
}

// http2Protocol is what all connections share.
type http2Protocol struct {
	requests []*http2Request // by target of the mix
	mix      *httpMix
	checks   *httpChecks
	grpc     bool      // requests have a content type of gRPC
	call     *grpcCall // what a call of gRPC answers; nil for other requests
	streams  Streams
	unread   httpUnread
	foreign  firstWrong // what came instead of HTTP/2
}

// Dialog implements load.Protocol.
func (p *http2Protocol) Dialog(conn int) load.Dialog { return p.dialog(conn) }

func (p *http2Protocol) dialog(conn int) *http2Dialog {
	d := &http2Dialog{protocol: p, sendWindow: http2Window, peer: http2Peer{window: http2Window, streams: 1}}
	d.streams.checks, d.streams.call = p.checks, p.call
	if p.walks() {
		d.walk = p.mix.walk(conn)
	}
	return d
}

// Targets implements load.Several.
func (p *http2Protocol) Targets() []string { return p.mix.labels }

// Notes implements Noter.
func (p *http2Protocol) Notes() []string {
	return slices.Concat(p.foreign.notes(), p.unread.notes(), p.checks.first.notes())
}

// walks says that requests of a connection differ.
func (p *http2Protocol) walks() bool {
	return len(p.requests) > 1 || p.mix.shared || p.requests[0].fill != nil
}

// turn returns the request that is next on the connection of w, the number of its row of the feed, and that of its target. w is nil if all
// requests are the same.
func (p *http2Protocol) turn(w *httpWalk) (r *http2Request, row int, with fill, target int) {
	if w == nil {
		return p.requests[0], 0, fill{}, 0
	}
	if t, ok := p.unread.get(); ok {
		return p.requests[t.target], t.row, t.with, t.target
	}
	n, turn := p.mix.next(w)
	r = p.requests[turn.target]
	if r.fill == nil {
		return r, 0, fill{}, turn.target
	}
	row, with = p.mix.fill(w, n, turn)
	return r, row, with, turn.target
}

// HTTPVersion says how what goes over a connection is read, see tap.Tap.
func (p *http2Protocol) HTTPVersion() int { return 2 }
