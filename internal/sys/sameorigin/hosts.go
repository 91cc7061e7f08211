package sameorigin

import (
	"net"
	"net/netip"
	"slices"
	"strings"
)

// Hosts returns which names in a Host header are those of a server that listens at address and was asked for, or has a
// certificate, under these names. The port does not matter, so that one may be forwarded (ssh -L): what rebinding needs
// is a name, and neither localhost nor an IP address resolves to something else.
func Hosts(address net.Addr, names ...string) func(string) bool {
	listens := AddressOf(address)
	return func(host string) bool {
		ours := func(name string) bool { return name != "" && strings.EqualFold(name, host) }
		if host == "localhost" || slices.ContainsFunc(names, ours) {
			return true
		}
		ip, err := netip.ParseAddr(host)
		if err != nil {
			return false
		}
		ip = ip.Unmap()
		return ip.IsLoopback() || ip == listens || listens.IsUnspecified()
	}
}
