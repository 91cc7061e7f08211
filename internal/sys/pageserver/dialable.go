package pageserver

import "net"

// Dialable is the address that a browser on this machine finds a listener at, by the name
// that was asked for if it is one.
func Dialable(address net.Addr, host string) string {
	_, port, err := net.SplitHostPort(address.String())
	if err != nil {
		return address.String()
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}
