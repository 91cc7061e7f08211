package schemes

import (
	"context"
	"net"
	"net/netip"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// Target is what to load and how to speak to it.
type Target struct {
	load.Protocol
	// Scheme is the protocol's name; Network and Address are for net.Dial. Network is
	// "tcp", "unix" or, for HTTP/3, "udp". Address is the socket's path, or host:port, where the port may
	// still be PortTemplate.
	Scheme, Network, Address string
	// tls is the client's side of TLS; nil for a target without.
	tls *tlsClient
	// Streams says when requests end, Multiplexed that others on the connection go on then, as in HTTP/2.
	Streams     wire.Streams
	Multiplexed bool
	// connectionBytes is what a connection takes.
	connectionBytes uint64
	// Guard, if it is not nil, may refuse an address that Dialer is about to connect to: host names are resolved then.
	// The network is "tcp4", "tcp6", "udp4", "udp6" or "unix".
	Guard func(network, address string) error
}

// Estimates of what a connection takes: the kernel's buffers of both ends of a loopback connection and ours while
// little is in flight; with goroutines and a TLS state for each; over QUIC.
const (
	plainBytes    = 20 << 10
	statefulBytes = 64 << 10
	quicBytes     = 192 << 10
)

// MemoryOf estimates what so many connections take, in bytes.
func (t Target) MemoryOf(connections int) uint64 { return uint64(connections) * t.connectionBytes }

// Notes are what the target's protocol has to say to the reader of a result, see Noter.
func (t Target) Notes() []string {
	if n, ok := t.Protocol.(wire.Noter); ok {
		return n.Notes()
	}
	return nil
}

// Targets implements load.Several.
func (t Target) Targets() []string { return load.TargetNames(t.Protocol) }

// greeter is a protocol that agrees with the server on something before the first request of each connection: that
// both switch to it, or who logs in.
type greeter interface {
	// Greet asks the server over c, and reads nothing after its answer.
	Greet(ctx context.Context, c net.Conn) error
}

// Wrap makes a connection to the target's address ready for the target's protocol: it
// shakes hands where the target speaks TLS, greets where the protocol asks for that, and
// returns c itself where there is no TLS. ctx bounds both. On an error c is closed; the error
// is a *fail.Error where the user can do something about it.
func (t Target) Wrap(ctx context.Context, c net.Conn) (_ net.Conn, err error) {
	if t.tls != nil {
		if c, err = t.tls.wrap(ctx, c); err != nil {
			return nil, err
		}
	}
	if g, ok := t.Protocol.(greeter); ok {
		if err := g.Greet(ctx, c); err != nil {
			c.Close()
			return nil, err
		}
	}
	return c, nil
}

// Prepare asks the server for what requests have to be built from, where the protocol needs that. It comes before the
// first Dialog. Errors are as those of Preparer.
func (t Target) Prepare(ctx context.Context, dial load.Dialer) error {
	if p, ok := t.Protocol.(wire.Preparer); ok {
		return p.Prepare(ctx, dial)
	}
	return nil
}

// Dialer returns what load.Open needs to reach the target. Connections leave from the
// addresses of source in turn, or from where the system likes if there are none; Unix
// sockets have no source address and ignore them. Small writes are sent at once
// (TCP_NODELAY), and no keep-alive probes mix with the load.
func (t Target) Dialer(source []netip.Addr) load.Dialer {
	dialers := []net.Dialer{{KeepAlive: -1}}
	if t.Network != "unix" && len(source) > 0 {
		dialers = dialers[:0]
		for _, a := range source {
			from := netip.AddrPortFrom(a, 0)
			local := net.Addr(net.TCPAddrFromAddrPort(from))
			if t.Network == "udp" {
				local = net.UDPAddrFromAddrPort(from)
			}
			dialers = append(dialers, net.Dialer{KeepAlive: -1, LocalAddr: local})
		}
	}
	var turn atomic.Uint64 // the engine dials from several goroutines
	if t.Guard != nil {
		for i := range dialers {
			dialers[i].Control = func(network, address string,
				_ syscall.RawConn) error {
				return t.Guard(network, address)
			}
		}
	}
	return func(ctx context.Context) (net.Conn, error) {
		d := dialers[(turn.Add(1)-1)%uint64(len(dialers))]
		if t.Network == "udp" {
			return t.tls.dialQUIC(ctx, d, t.Address)
		}
		c, err := d.DialContext(ctx, t.Network, t.Address)
		if err != nil {
			return nil, err
		}
		return t.Wrap(ctx, c)
	}
}

// longestStream bounds streams whose end is asked for: only silence ends them before.
const longestStream = 24 * time.Hour

// Allow is the plan with time for streams whose requests end by Streams.Messages or Streams.For. It is a *fail.Error of
// kind BadInput where such an end would lose other requests on the connection.
func (t Target) Allow(p load.Plan) (load.Plan, error) {
	if !t.Streams.Cuts() {
		return p, nil
	}
	if p.Depth > 1 && !t.Multiplexed {
		return p, fail.New(fail.BadInput,
			"a request that ends its stream must be the only one on its connection, and %d are to be outstanding",
			p.Depth).
			WithHint("use --depth 1, or --http2")
	}
	p.StreamTimeout = longestStream
	return p, nil
}
