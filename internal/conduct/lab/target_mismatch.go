package lab

import (
	"context"
	"fmt"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire/http1"
	"github.com/gohone/hone/internal/wire/http2"
	"github.com/gohone/hone/internal/wire/recognise"
	"github.com/gohone/hone/internal/wire/resp"
	"github.com/gohone/hone/internal/wire/tcp"
	"github.com/gohone/hone/internal/wire/ws"
)

// mismatch looks why nothing of a target is answered right. Where its port speaks another
// protocol than the target's, that is the error, with the command for the right one.
func (s *start) mismatch(ctx context.Context) error {
	if s.protocol.Network == "udp" {
		return nil // the fault says what the handshake showed
	}
	seen := recognise.Ask(ctx, s.process.Dial, s.process.Address(), "/")
	if !contradicts(s.protocol.Scheme, s.task.Protocol.HTTP2, seen) {
		return nil
	}
	f := newFinder(s)
	own, err := f.listeners()
	if err != nil {
		return nil // only a better explanation is lost
	}
	c := candidate{seen: seen}
	for _, l := range own {
		if l.Where() == s.process.Address() || fmt.Sprint(l.Port) == portOf(s.process.Address()) {
			c.at = l
		}
	}
	return fail.New(fail.BadInput, "the target is %s, and nothing there answers it: the port %s", s.latest.target,
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
