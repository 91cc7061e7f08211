package schemes

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"syscall"

	"github.com/quic-go/quic-go"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire/quicconn"
)

// alpnHTTP3 is the name of HTTP/3 in ALPN (RFC 9114 section 3.1).
const alpnHTTP3 = "h3"

// alertNoProtocol is the alert of TLS with which a server refuses all names of ALPN (RFC 7301 section 3.2). QUIC has
// its alerts from 0x100 on (RFC 9001 section 4.8).
const alertNoProtocol = 0x100 + 120

// dialQUIC connects to address by UDP, with d. The error is a *fail.Error where the user can do
// something about it.
func (t *tlsClient) dialQUIC(ctx context.Context, d net.Dialer, address string) (net.Conn, error) {
	config := t.config.Clone()
	config.NextProtos = []string{alpnHTTP3}
	config.MinVersion = tls.VersionTLS13 // RFC 9001 section 4.2
	c, err := quicconn.Dial(ctx, d, address, config)
	if err != nil {
		return nil, t.explainQUIC(ctx, address, err)
	}
	return c, nil
}

// explainQUIC puts a failed handshake into words, with the way out where there is one.
func (t *tlsClient) explainQUIC(ctx context.Context, address string, err error) error {
	var transport *quic.TransportError
	var version *quic.VersionNegotiationError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return fail.New(fail.Subject, "connect by QUIC: nothing listens on UDP port %s: %w", address,
			syscall.ECONNREFUSED).
			WithHint("start the server; a server of HTTP/3 listens on UDP, and one that listens on TCP alone speaks HTTP/1.1 or HTTP/2: leave out --set http3")
	case errors.As(err, &version):
		return fail.New(fail.BadInput, "connect by QUIC: the server does not speak version 1 of QUIC: it offers %v",
			version.Theirs).
			WithHint("update the server, or leave out --set http3")
	case errors.As(err, &transport) && transport.ErrorCode == alertNoProtocol:
		return fail.New(fail.BadInput, "negotiate HTTP/3: the server offers no %s in ALPN", alpnHTTP3).
			WithHint("switch HTTP/3 on in the server (NextProtos of its TLS), or leave out --set http3")
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fail.New(fail.Subject, "connect by QUIC: no answer from UDP %s: %w", address, context.DeadlineExceeded).
			WithHint("check that the server speaks HTTP/3 on that port, and that no firewall drops UDP; allow more time with a longer timeout")
	case ctx.Err() != nil:
		return ctx.Err()
	}
	if explained := t.explain(err); fail.HintOf(explained) != "" {
		return explained
	}
	return fmt.Errorf("connect by QUIC: %w", err)
}
