package sameorigin

import (
	"net"
	"testing"
)

// Names of a server that other machines reach.
func TestHosts(t *testing.T) {
	for _, c := range []struct {
		listens, asked, name string
		ours                 bool
	}{
		{"10.1.2.3", "10.1.2.3", "10.1.2.3", true},
		{"10.1.2.3", "10.1.2.3", "10.1.2.4", false},
		{"10.1.2.3", "devbox", "devbox", true},
		{"10.1.2.3", "devbox", "DevBox", true},
		{"10.1.2.3", "devbox", "devbox.evil.example", false},
		{"0.0.0.0", "", "10.1.2.4", true}, // an address is not resolved, so none can be rebound
		{"0.0.0.0", "", "devbox", false},
		{"::", "", "fd00::1", true},
		{"127.0.0.1", "127.0.0.1", "::ffff:127.0.0.1", true},
		{"127.0.0.1", "", "", false},
	} {
		address := &net.TCPAddr{IP: net.ParseIP(c.listens), Port: 80}
		if got := Hosts(address, "", c.asked)(c.name); got != c.ours {
			t.Errorf("%q at %s (--addr %s): %v", c.name, c.listens, c.asked, got)
		}
		if got, want := Loopback(address), c.listens == "127.0.0.1"; got != want {
			t.Errorf("loopback %s: %v", c.listens, got)
		}
	}
	if Loopback(&net.UnixAddr{}) {
		t.Error("a path is no address")
	}
}
