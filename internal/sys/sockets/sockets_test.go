package sockets

import (
	"encoding/binary"
	"net/netip"
	"testing"
)

// Lines as the kernel wrote them on a little-endian machine.
func TestSocketLines(t *testing.T) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		t.Skip("a big-endian machine writes them otherwise")
	}
	nowhere := netip.MustParseAddrPort("0.0.0.0:0")
	for line, want := range map[string]Socket{
		"   0: 0100007F:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 12345 1 0 100 0 0 10 0":                                {netip.MustParseAddrPort("127.0.0.1:22"), nowhere, Listen, 12345, 1000},
		"   3: 00000000000000000000000001000000:1F90 00000000000000000000000001000000:C350 01 00000000:00000000 00:00000000 00000000     0        0 777 1": {netip.MustParseAddrPort("[::1]:8080"), netip.MustParseAddrPort("[::1]:50000"), Established, 777, 0},
		"   3: 0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF00000100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 778 1": {netip.MustParseAddrPort("127.0.0.1:8080"), netip.MustParseAddrPort("127.0.0.1:50000"), Established, 778, 0},
		"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode":                                                 {},
	} {
		got, ok := Parse(line)
		if got != want || ok != (want != Socket{}) {
			t.Errorf("%s: %+v, %v; want %+v", line, got, ok, want)
		}
	}
}

func TestListeners(t *testing.T) {
	for _, c := range []struct {
		line string
		want string // "" for no listener
	}{
		{"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode", ""},
		{"   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0000000000000000 100 0 0 10 0", "127.0.0.1:8080"},
		{"   1: 0100007F:1F90 0100007F:A3D4 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1 0000000000000000 20 4 30 10 -1", ""},
		{"   0: 00000000000000000000000000000000:0050 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 99 1 0000000000000000 100 0 0 10 0", "[::]:80"},
		{"   0: 00000000000000000000000001000000:0050 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 99 1 0000000000000000 100 0 0 10 0", "[::1]:80"},
		{"   0: 0000000000000000FFFF00000100007F:0050 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 99 1 0000000000000000 100 0 0 10 0", "127.0.0.1:80"},
		{"   0: 0100007F:1F90 00000000:0000 0A", ""},
	} {
		row, ok := Parse(c.line)
		ok = ok && row.State == Listen
		if got := row.Local.String(); ok != (c.want != "") || (ok && got != c.want) {
			t.Errorf("%q: %s, %v; want %q", c.line, got, ok, c.want)
		}
	}
}

func FuzzSocketLine(f *testing.F) {
	f.Add("   0: 0100007F:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 12345 1")
	f.Add("   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0")
	f.Add("0: 00000000000000000000000001000000:0050 0:0 0A 0 0 0 0 0 99")
	f.Add("0: 00000000000000000000000001000000:0050 00000000:0 0A 0 0 0 0 0 99")
	f.Add("0: 0100007F 0 0A 0 0 0 0 0 0")
	f.Fuzz(func(t *testing.T, line string) {
		if one, ok := Parse(line); ok && (!one.Local.IsValid() || !one.Remote.IsValid()) {
			t.Errorf("%q is %+v", line, one)
		}
	})
}
