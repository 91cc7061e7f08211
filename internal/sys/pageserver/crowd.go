package pageserver

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
)

// Bounds of the connections to a server: those on which a request was let in, and the others. A browser has a few.
const (
	mostKnown     = 192
	mostStrangers = 64
)

// Limited makes a server with a bound on its connections, and returns the listener that it is to serve. A connection is
// a stranger's until LetIn is called for a request on it. One stranger too many closes the oldest of those strangers
// who have most connections, so that no one who only connects keeps out the others, and strangers close no connection
// of those let in.
func Limited(server *http.Server, ln net.Listener) net.Listener {
	server.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		if under, ok := c.(interface{ NetConn() net.Conn }); ok { // TLS
			c = under.NetConn()
		}
		return context.WithValue(ctx, visitorKey{}, c)
	}
	return &crowd{Listener: ln}
}

// visitorKey is that of the connection in a request's context.
type visitorKey struct{}

// LetIn says that a request has passed all checks: its connection does not count as a stranger's from then on.
func LetIn(r *http.Request) {
	if v, ok := r.Context().Value(visitorKey{}).(*visitor); ok {
		v.of.letIn(v)
	}
}

// crowd accepts connections and knows which are open.
type crowd struct {
	net.Listener
	mu        sync.Mutex
	strangers []*visitor // the oldest first
	known     int
}

// visitor is a connection. What is not constant belongs to its crowd's lock.
type visitor struct {
	net.Conn
	of    *crowd
	from  netip.Prefix
	known bool
}

func (c *crowd) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	v := &visitor{Conn: conn, of: c, from: origin(conn.RemoteAddr())}
	if out := c.enter(v); out != nil {
		_ = out.Conn.Close() // the server sees it and calls Close, too
	}
	return v, nil
}

// origin is what counts as one stranger: an IPv4 address, or the 64 bits of IPv6 that one user has at least.
func origin(address net.Addr) netip.Prefix {
	tcp, ok := address.(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	ip, _ := netip.AddrFromSlice(tcp.IP)
	if ip = ip.Unmap(); ip.Is4() {
		return netip.PrefixFrom(ip, 32)
	}
	prefix, _ := ip.Prefix(64) // of no address: the zero Prefix
	return prefix
}

// enter adds a stranger and returns the one who has to go, if any.
func (c *crowd) enter(v *visitor) (out *visitor) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.strangers) >= mostStrangers {
		out = c.crowding()
		c.remove(out)
	}
	c.strangers = append(c.strangers, v)
	return out
}

// crowding is the oldest stranger from where most of them are.
func (c *crowd) crowding() *visitor {
	count := map[netip.Prefix]int{}
	most := 0
	for _, v := range c.strangers {
		count[v.from]++
		most = max(most, count[v.from])
	}
	return c.strangers[slices.IndexFunc(c.strangers, func(v *visitor) bool { return count[v.from] == most })]
}

// letIn makes a stranger known while there is room for one: who is let in in vain stays a stranger, and is answered.
func (c *crowd) letIn(v *visitor) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known < mostKnown && c.remove(v) {
		v.known = true
		c.known++
	}
}

// remove takes a visitor off the strangers, and says whether it was one.
func (c *crowd) remove(v *visitor) bool {
	i := slices.Index(c.strangers, v)
	if i < 0 {
		return false
	}
	c.strangers = slices.Delete(c.strangers, i, i+1)
	return true
}

// Close ends the connection; the server may call it more than once.
func (v *visitor) Close() error {
	v.of.leave(v)
	return v.Conn.Close()
}

// CloseWrite lets net/http end an answer before the request has been read to its end.
func (v *visitor) CloseWrite() error {
	if c, ok := v.Conn.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return nil
}

func (c *crowd) leave(v *visitor) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(v)
	if v.known {
		v.known = false
		c.known--
	}
}
