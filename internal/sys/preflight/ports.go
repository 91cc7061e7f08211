package preflight

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/sys/sockets"
	"github.com/gohone/hone/internal/text/fail"
)

// checkPorts compares the connections from each source address with the local ports
// that the address has left. targets are the addresses of the target: the one that
// leaves the most counts.
func (m machine) checkPorts(n Need, targets []netip.AddrPort) *fail.Error {
	pool, ok := m.portPool()
	if !ok || n.Connections <= 0 {
		return nil
	}
	sources := n.Sources
	bound := len(sources) > 0
	if !bound {
		sources = []netip.Addr{{}} // the one that the route to the target picks
	}
	each := (n.Connections + len(sources) - 1) / len(sources)
	for i, s := range sources {
		mine := each
		if i >= n.Connections%len(sources) && n.Connections%len(sources) > 0 {
			mine-- // sources take turns: the last ones may have one less
		}
		best, from, to := -1, s, netip.AddrPort{}
		for _, t := range targets {
			local := s
			if !bound {
				if local, ok = routeTo(t); !ok {
					return nil
				}
			}
			if local.Is4() != t.Addr().Is4() {
				continue
			}
			if free := pool.free(local, t, bound); free > best {
				best, from, to = free, local, t
			}
		}
		if best >= 0 && mine > best {
			return pool.short(n, mine, best, from, to)
		}
	}
	return nil
}

// portPool is what the kernel hands out local ports from.
type portPool struct {
	first, last uint16 // of the range, both included
	taken       portSet
	sockets     []sockets.Socket
	// reuse is net.ipv4.tcp_tw_reuse: connect takes a port again that waits in TIME_WAIT
	// after a connection to the same target (1: everywhere, 2: on loopback).
	reuse uint64
}

// portPool reads the range, the ports reserved from it and the sockets in it.
func (m machine) portPool() (*portPool, bool) {
	text, err := fs.ReadFile(m.files, "proc/sys/net/ipv4/ip_local_port_range")
	bounds := strings.Fields(string(text))
	if err != nil || len(bounds) != 2 {
		return nil, false
	}
	first, err1 := strconv.ParseUint(bounds[0], 10, 16)
	last, err2 := strconv.ParseUint(bounds[1], 10, 16)
	if err1 != nil || err2 != nil || first > last {
		return nil, false
	}
	p := &portPool{first: uint16(first), last: uint16(last)}
	if text, err := fs.ReadFile(m.files, "proc/sys/net/ipv4/ip_local_reserved_ports"); err == nil {
		p.reserve(string(text))
	}
	p.reuse, _ = m.number("proc/sys/net/ipv4/tcp_tw_reuse")
	p.sockets, err = m.sockets()
	return p, err == nil
}

// reserve takes out ports listed as "8080,9148-9200".
func (p *portPool) reserve(list string) {
	for part := range strings.SplitSeq(strings.TrimSpace(list), ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		from, err1 := strconv.ParseUint(low, 10, 16)
		to, err2 := strconv.ParseUint(high, 10, 16)
		if err1 != nil || err2 != nil {
			continue
		}
		for port := from; port <= to; port++ {
			p.taken.add(uint16(port))
		}
	}
}

// sockets lists the TCP sockets of this network namespace.
func (m machine) sockets() (all []sockets.Socket, err error) {
	err = sockets.EachIn(m.files, "proc/net", func(s sockets.Socket) { all = append(all, s) })
	return all, err
}

func (p *portPool) size() int { return int(p.last) - int(p.first) + 1 }

// free counts the ports left for connections from source to target.
//
// Without an address to bind to, connect picks the port: it must be new for this pair
// of address and target, and not one that is bound. With one (bound), bind
// picks the port before the target is known: it must be new for the source altogether.
func (p *portPool) free(source netip.Addr, target netip.AddrPort, bound bool) int {
	taken := p.taken // a copy
	again := !bound && (p.reuse == 1 || p.reuse == 2 && target.Addr().IsLoopback())
	for _, s := range p.sockets {
		mine := s.Local.Addr() == source
		switch {
		case s.State == sockets.Listen:
			mine = mine || s.Local.Addr().IsUnspecified()
		case bound:
		case s.Remote != target || s.State == sockets.TimeWait && again:
			mine = false
		}
		if mine {
			taken.add(s.Local.Port())
		}
	}
	return p.size() - taken.between(p.first, p.last)
}

// short is the error for a source with too few ports.
func (p *portPool) short(n Need, need, free int, source netip.Addr, target netip.AddrPort) *fail.Error {
	err := fail.New(fail.Environment,
		"%d connections to %s need %d local ports on %s, and %d are free (of %d in %d-%d)",
		n.Connections, target, need, source, free, p.size(), p.first, p.last)
	const widen = "sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\""
	if !target.Addr().IsLoopback() || !target.Addr().Is4() {
		return err.WithHint("connect from several addresses of this machine with --set source=A,B, widen the range "+
			"(%s), or use fewer connections with -c", widen)
	}
	fresh := p.free(netip.AddrFrom4([4]byte{127, 0, 0, 2}), target, true)
	if fresh <= 0 {
		return err.WithHint("widen the range (%s), or use fewer connections with -c", widen)
	}
	return err.WithHint("connect from several addresses with --set source=%s (loopback needs no configuration), or use "+
		"fewer connections with -c", loopbackSources((n.Connections+fresh-1)/fresh))
}

// loopbackSources writes count addresses from 127.0.0.2 on as ParseSources reads them.
func loopbackSources(count int) string {
	if count <= 1 {
		return "127.0.0.2"
	}
	last := 1 + count
	return fmt.Sprintf("127.0.0.2-127.%d.%d.%d", last>>16&0xff, last>>8&0xff, last&0xff)
}

// portSet is a set of ports.
type portSet [1 << 16 / 64]uint64

func (s *portSet) add(port uint16) { s[port/64] |= 1 << (port % 64) }

// between counts the members from first to last, both included.
func (s *portSet) between(first, last uint16) (n int) {
	for port := int(first); port <= int(last); port++ {
		n += int(s[port/64] >> (port % 64) & 1)
	}
	return n
}

// resolve returns the addresses of host:port; none if it cannot tell. 2 s is what a
// resolver takes that asks a second server; connecting asks again anyhow.
func resolve(target string) []netip.AddrPort {
	host, text, err := net.SplitHostPort(target)
	port, err2 := strconv.ParseUint(text, 10, 16)
	if err != nil || err2 != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	addresses, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil
	}
	var all []netip.AddrPort
	for _, a := range addresses {
		all = append(all, netip.AddrPortFrom(a.Unmap(), uint16(port)))
	}
	return all
}

// routeTo is the address that connections to a target leave from. Connecting a UDP
// socket sends nothing.
func routeTo(target netip.AddrPort) (netip.Addr, bool) {
	c, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(target))
	if err != nil {
		return netip.Addr{}, false
	}
	defer c.Close()
	local, ok := c.LocalAddr().(*net.UDPAddr)
	if !ok {
		return netip.Addr{}, false
	}
	return local.AddrPort().Addr().Unmap(), true
}
