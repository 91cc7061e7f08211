package finder

import (
	"context"
	"fmt"
	"net"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire/http1"
	"github.com/gohone/hone/internal/wire/http2"
	"github.com/gohone/hone/internal/wire/recognise"
	"github.com/gohone/hone/internal/wire/resp"
	"github.com/gohone/hone/internal/wire/tcp"
	"github.com/gohone/hone/internal/wire/ws"
)

// Answers says that one request of a target is answered right.
func (p *Program) Answers(ctx context.Context, t Target) bool {
	return speaks(ctx, t.Target, p.Process.Dial) == recognise.Serves
}

// Mismatch looks why nothing of a target is answered right. Where its port speaks another
// protocol than the target's, that is the error, with the command for the right one.
func (p *Program) Mismatch(ctx context.Context, t Target) error {
	if t.Network == "udp" {
		return nil // the fault says what the handshake showed
	}
	seen := recognise.Ask(ctx, p.Process.Dial, p.Process.Address(), "/")
	if !contradicts(t.Scheme, t.Multiplexed, seen) {
		return nil
	}
	f := newFinder(p)
	own, err := f.listeners()
	if err != nil {
		return nil // only a better explanation is lost
	}
	c := candidate{seen: seen}
	_, port, _ := net.SplitHostPort(p.Process.Address())
	for _, l := range own {
		if l.Where() == p.Process.Address() || fmt.Sprint(l.Port) == port {
			c.at = l
		}
	}
	return fail.New(fail.BadInput, "the target is %s, and nothing there answers it: the port %s", t.Shown,
		seen).
		WithHint("%s", f.nextFor(c))
}

// contradicts says that a port speaks something that a target is not.
func contradicts(scheme string, overHTTP2 bool, seen recognise.Seen) bool {
	web := scheme == http1.HTTP.Name || scheme == http1.HTTPS.Name || scheme == http1.Unix.Name
	calls := scheme == http2.GRPC.Name || scheme == http2.GRPCS.Name
	right := seen.Encrypted == (scheme == http1.HTTPS.Name || scheme == http2.GRPCS.Name)
	switch seen.Protocol {
	case recognise.HTTP:
		if scheme == ws.WS.Name || scheme == ws.WSS.Name { // which begins as HTTP
			return seen.Encrypted != (scheme == ws.WSS.Name)
		}
		return !web || !right
	case recognise.HTTP2:
		return !web || !right || !overHTTP2
	case recognise.GRPC:
		return !calls && (!web || !overHTTP2) || !right
	case recognise.Redis:
		return scheme != resp.Redis.Name && scheme != resp.Rediss.Name || seen.Encrypted != (scheme == resp.Rediss.Name)
	case recognise.NATS, recognise.TLS:
		return true
	}
	// Frames of tcp:// may be those of any protocol; else nothing is known.
	return seen.Protocol.Named() && scheme != tcp.TCP.Name
}
