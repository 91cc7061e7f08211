package protocol

import (
	"net/url"

	"github.com/gohone/hone/internal/fail"
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
// GOAWAY leaves out are lost with the connection (Closed), once the others are answered.
// An answer with a status of gRPC is judged by that as well, see grpcCause.
func newHTTP2(u *url.URL, o Options) (load.Protocol, error) {
	if o.Feed != nil {
		return nil, fail.New(fail.BadInput, "a feed does not go with HTTP/2 yet").
			WithHint("leave out the feed, or --http2")
	}
	mix, checks, method, err := httpRequests(u, o) // mix gives the targets their turns
	if err != nil {
		return nil, err
	}
	p := &http2Protocol{mix: mix, checks: checks, grpc: asksForGRPC(o.Headers)}
	targets, err := httpTargets(method, u, o)
	if err != nil {
		return nil, err
	}
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
	grpc     bool // requests have a content type of gRPC
}

// Dialog implements load.Protocol.
func (p *http2Protocol) Dialog(conn int) load.Dialog {
	d := &http2Dialog{protocol: p, sendWindow: http2Window, peer: http2Peer{window: http2Window, streams: 1}}
	d.streams.checks = p.checks
	if len(p.requests) > 1 || p.mix.shared {
		d.walk = p.mix.walk(conn)
	}
	return d
}

// turn returns the request that is next on the connection of w, which is nil if there is
// one request only.
func (p *http2Protocol) turn(w *httpWalk) *http2Request {
	if w == nil {
		return p.requests[0]
	}
	_, turn := p.mix.next(w)
	return p.requests[turn.target]
}
