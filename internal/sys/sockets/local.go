package sockets

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
)

// ErrElsewhere says that a host is another machine, in whole or in part.
var ErrElsewhere = errors.New("no address of this machine")

// LocalAddresses are the addresses of a host, in the order in which they are to be tried. An
// empty or wildcard host means this machine. The error wraps ErrElsewhere if one of them is
// not this machine's.
func LocalAddresses(ctx context.Context, host string) ([]netip.Addr, error) {
	switch host {
	case "", "0.0.0.0", "::", "localhost":
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}, nil
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return nil, err
	}
	for i, ip := range found {
		ip = ip.Unmap()
		mine := slices.ContainsFunc(own, func(a net.Addr) bool {
			p, err := netip.ParsePrefix(a.String())
			return err == nil && p.Addr() == ip
		})
		if !mine && !ip.IsLoopback() {
			return nil, fmt.Errorf("%s is %w", ip, ErrElsewhere)
		}
		found[i] = ip
	}
	return found, nil
}
