package listeners

import (
	"context"
	"net/netip"
	"testing"
)

func TestTargetFind(t *testing.T) {
	const ours, theirs = 10, 20
	on := func(pid int, at string) Listener {
		ap := netip.MustParseAddrPort(at)
		return Listener{Address: ap.Addr(), Port: int(ap.Port()), PID: pid}
	}
	for _, c := range []struct {
		target string
		all    []Listener
		at     string // "" for not found
		taken  bool
	}{
		{"127.0.0.1:80", nil, "", false},
		{"127.0.0.1:80", []Listener{on(ours, "127.0.0.1:81")}, "", false},
		{"127.0.0.1:80", []Listener{on(ours, "127.0.0.1:80")}, "127.0.0.1:80", false},
		{"127.0.0.1:80", []Listener{on(ours, "127.0.0.2:80")}, "", false},
		{"127.0.0.1:80", []Listener{on(ours, "0.0.0.0:80")}, "127.0.0.1:80", false},
		{":80", []Listener{on(ours, "[::]:80")}, "127.0.0.1:80", false},
		{"localhost:80", []Listener{on(ours, "[::1]:80")}, "[::1]:80", false},
		{"[::1]:80", []Listener{on(ours, "0.0.0.0:80")}, "", false},
		{"127.0.0.1:80", []Listener{on(theirs, "0.0.0.0:80")}, "", true},
		// The more exact address wins a connection, whichever came first.
		{"127.0.0.1:80", []Listener{on(ours, "0.0.0.0:80"), on(theirs, "127.0.0.1:80")}, "", true},
		{"127.0.0.1:80", []Listener{on(ours, "127.0.0.1:80"), on(theirs, "127.0.0.9:80")}, "127.0.0.1:80", false},
	} {
		target, err := ParseTarget(context.Background(), c.target, false)
		if err != nil {
			t.Fatal(err)
		}
		at, own, stranger := target.Find(c.all, func(pid int) bool { return pid == ours })
		if (stranger != nil) != c.taken || (own != nil) != (c.at != "") || (own != nil && at.String() != c.at) {
			t.Errorf("%s among %v: %v, %v, %v; want %q, taken %v", c.target, c.all, at, own, stranger, c.at, c.taken)
		}
	}
}

func TestGuessLeavesPprofToTheLast(t *testing.T) {
	at := func(port int) Listener { return Listener{Address: loopback4, Port: port} }
	for _, c := range []struct {
		ports     []int
		preferred int
		want      int
	}{
		{[]int{6060, 8080}, 0, 8080},
		{[]int{6060}, 0, 6060},
		{[]int{9090, 8080, 6060}, 0, 8080},
		{[]int{80, 9090}, 9090, 9090},
		{[]int{8080, 6060}, 6060, 6060},
	} {
		var own []Listener
		for _, port := range c.ports {
			own = append(own, at(port))
		}
		if got := Guess(own, c.preferred, ""); got.Port != c.want {
			t.Errorf("guess(%v, %d) = %d, want %d", c.ports, c.preferred, got.Port, c.want)
		}
	}
}
