// Package sameorigin tells requests of the user's own browser and programs from those that a
// page of another site has the browser make.
package sameorigin

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Check says why a request is not the user's own, or nil. ours says whether a host of the Host
// header, without its port and brackets, is this server's: a stranger's page that has its
// name resolve to this machine is known by it (DNS rebinding). One that fetches, embeds,
// posts or links is known by Origin or Sec-Fetch-Site (Fetch Metadata, W3C).
func Check(r *http.Request, ours func(host string) bool) error {
	host := r.Host
	if name, _, err := net.SplitHostPort(r.Host); err == nil {
		host = name
	}
	if host = strings.Trim(host, "[]"); !ours(host) {
		return fmt.Errorf("host %q is not this server: use localhost or the address that hone printed", host)
	}
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	if origin := r.Header.Values("Origin"); len(origin) > 1 || len(origin) == 1 && origin[0] != scheme+r.Host {
		return fmt.Errorf("pages of other sites may not ask (Origin %q)", origin)
	}
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" {
			return fmt.Errorf("pages of other sites may not ask, nor lead here (Sec-Fetch-Site %q): open the address yourself",
				site)
		}
	}
	return nil
}

// AddressOf is the IP address of a TCP address, or the zero Addr, which belongs to no machine.
func AddressOf(address net.Addr) netip.Addr {
	tcp, ok := address.(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	ip, _ := netip.AddrFromSlice(tcp.IP)
	return ip.Unmap()
}

// Loopback says whether only this machine reaches the address.
func Loopback(address net.Addr) bool { return AddressOf(address).IsLoopback() }

// LoopbackHost says whether the host of a URL is this machine: localhost or a loopback address.
func LoopbackHost(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
