package sockets

import (
	"net"
	"path/filepath"
	"strings"
	"testing"
)

// Lines as the kernel wrote them.
func TestUnixLines(t *testing.T) {
	for line, want := range map[string]Unix{
		"Num       RefCount Protocol Flags    Type St Inode Path": {},
		"0000000000000000: 00000002 00000000 00010000 0001 01 22131 /run/app.sock": {"/run/app.sock",
			22131},
		"0000000000000000: 00000002 00000000 00010000 0001 01    31 /run/with two spaces/a.sock": {"/run/with two spaces/a.sock", 31},
		"0000000000000000: 00000002 00000000 00010000 0001 01 22132 @abstract":                   {"@abstract", 22132},
		"0000000000000000: 00000003 00000000 00000000 0001 03 22133 /run/connected.sock":         {},
		"0000000000000000: 00000002 00000000 00010000 0005 01 22134 /run/seqpacket.sock":         {},
		"0000000000000000: 00000003 00000000 00000000 0001 03 22135":                             {},
		"": {},
	} {
		if got, ok := ParseUnix(line); got != want || ok != (want != Unix{}) {
			t.Errorf("%q: %+v, %v; want %+v", line, got, ok, want)
		}
	}
}

// A socket of this process is in the table of this kernel.
func TestEachUnix(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	found := 0
	if err := EachUnix("self", func(u Unix) {
		if u.Path == path && u.Inode != 0 {
			found++
		}
	}); err != nil {
		t.Skip(err) // a system without /proc
	}
	if found != 1 {
		t.Errorf("found %d times, want once", found)
	}
}

func FuzzUnixLine(f *testing.F) {
	f.Add("0000000000000000: 00000002 00000000 00010000 0001 01 22131 /run/app.sock")
	f.Add("0: 2 0 00010000 0001 01 1 @")
	f.Fuzz(func(t *testing.T, line string) {
		if one, ok := ParseUnix(line); ok && (one.Path == "" || !strings.HasSuffix(line, one.Path)) {
			t.Errorf("%q is %+v", line, one)
		}
	})
}
