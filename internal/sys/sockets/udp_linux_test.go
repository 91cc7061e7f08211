package sockets_test

import (
	"net"
	"testing"

	"github.com/gohone/hone/internal/sys/sockets"
)

// A UDP socket is in the tables, bound without a peer and with one.
func TestEachUDPFindsSockets(t *testing.T) {
	bound, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer bound.Close()
	peer, err := net.Dial("udp", bound.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	states := map[string]uint64{}
	if err := sockets.EachUDP("self", func(s sockets.Socket) { states[s.Local.String()] = s.State }); err != nil {
		t.Fatal(err)
	}
	if got := states[bound.LocalAddr().String()]; got != sockets.Unconnected {
		t.Errorf("a bound socket has the state %d", got)
	}
	if got := states[peer.LocalAddr().String()]; got != sockets.Established {
		t.Errorf("a socket with a peer has the state %d", got)
	}
}
