package preflight

import (
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gohone/hone/internal/text/fail"
)

// The machine of testdata/v2 has ports 40000 to 40009; 40000, 40001 and 40009 are
// reserved, and 40007 has a listener.
func TestPortsThatAreLeft(t *testing.T) {
	p, ok := machine{files: os.DirFS("testdata/v2")}.portPool()
	if !ok || p.size() != 10 || len(p.sockets) != 10 {
		t.Fatalf("got %v, %+v", ok, p)
	}
	target := netip.MustParseAddrPort("127.0.0.1:8080")
	for name, c := range map[string]struct {
		source string
		target netip.AddrPort
		bound  bool
		reuse  uint64
		want   int
	}{
		"without binding":           {"127.0.0.1", target, false, 0, 10 - 4 - 3}, // 40002, 40003, 40008
		"TIME_WAIT is used again":   {"127.0.0.1", target, false, 1, 10 - 4 - 2},
		"on loopback too":           {"127.0.0.1", target, false, 2, 10 - 4 - 2},
		"to another target":         {"127.0.0.1", netip.MustParseAddrPort("127.0.0.1:8081"), false, 0, 10 - 4 - 1},
		"bound to the same address": {"127.0.0.1", target, true, 2, 10 - 4 - 4}, // and 40004
		"bound to another address":  {"127.0.0.2", target, true, 0, 10 - 4 - 1}, // 40005
		"bound where one listens":   {"127.0.0.3", target, true, 0, 10 - 4 - 1}, // 40006
		"bound to a fresh address":  {"127.0.0.4", target, true, 0, 10 - 4},
		"IPv6":                      {"::1", netip.MustParseAddrPort("[::1]:8080"), false, 0, 10 - 4 - 1},
	} {
		p.reuse = c.reuse
		if got := p.free(netip.MustParseAddr(c.source), c.target, c.bound); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestTooFewPortsNameTheSourcesThatWouldDo(t *testing.T) {
	m := machine{files: os.DirFS("testdata/v2")}
	loopback := []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:8080")}
	from := func(text string) []netip.Addr {
		all, err := ParseSources(text)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	for name, c := range map[string]struct {
		need          Need
		targets       []netip.AddrPort
		message, hint string
	}{
		"enough": {Need{Connections: 6, Sources: from("127.0.0.4")}, loopback, "", ""},
		"one more": {Need{Connections: 7, Sources: from("127.0.0.4")}, loopback,
			"7 connections to 127.0.0.1:8080 need 7 local ports on 127.0.0.4, and 6 are free (of 10 in 40000-40009)",
			"--set source=127.0.0.2-127.0.0.3 (loopback"},
		"in turn": {Need{Connections: 11, Sources: from("127.0.0.4,127.0.0.2")}, loopback, "", ""},
		"in turn, uneven": {Need{Connections: 11, Sources: from("127.0.0.2,127.0.0.4")}, loopback,
			"need 6 local ports on 127.0.0.2, and 5 are free", "--set source"},
		"none given": {Need{Connections: 7000}, loopback, "need 7000 local ports on 127.0.0.1, and 4 are free",
			"--set source=127.0.0.2-127.0.5.121 ("}, // 1400 addresses with 5 ports each
		"far away": {Need{Connections: 100, Sources: from("10.0.0.1")},
			[]netip.AddrPort{netip.MustParseAddrPort("10.0.0.2:80")},
			"need 100 local ports on 10.0.0.1, and 6 are free", "ip_local_port_range"},
		"the better of two": {Need{Connections: 4, Sources: from("127.0.0.1,::1")},
			append(loopback, netip.MustParseAddrPort("[::1]:8080")), "", ""},
		"not resolved": {Need{Connections: 100, Sources: from("127.0.0.4")}, nil, "", ""},
	} {
		got := m.checkPorts(c.need, c.targets)
		switch {
		case c.message == "" && got == nil:
		case c.message == "" || got == nil || got.Kind != fail.Environment ||
			!strings.Contains(got.Error(), c.message) || !strings.Contains(got.Hint, c.hint):
			t.Errorf("%s: got %v (%s), want %q (%q)", name, got, fail.HintOf(nilOr(got)), c.message, c.hint)
		}
	}
}

// nilOr keeps a nil *fail.Error from becoming an error that is not nil.
func nilOr(e *fail.Error) error {
	if e == nil {
		return nil
	}
	return e
}

func TestMemoryOfTheMachineAndItsGroup(t *testing.T) {
	v1, v2 := machine{files: os.DirFS("testdata/v1")}, machine{files: os.DirFS("testdata/v2")}
	for name, c := range map[string]struct {
		m             machine
		need          uint64
		message, hint string
	}{
		"enough": {v2, 500_000_000, "", ""},
		// 1073741824 less what is used, 600000000, but for 73741824 of cache
		"more than the group": {v2, 600_000_000,
			"4 connections need about 600 MB of memory; this machine has 2.05 GB available, " +
				"and its control group allows 547 MB more (limit 1.07 GB)",
			"raise the memory limit of /sys/fs/cgroup/app.slice"},
		"more than both": {v2, 3_000_000_000, "need about 3.00 GB", "-c"},
		"version 1": {v1, 600_000_000,
			"what this machine has is not known, and its control group allows 537 MB more",
			"/sys/fs/cgroup/memory/box"},
		"version 1 enough": {v1, 500_000_000, "", ""},
		"nothing known":    {machine{files: fstest.MapFS{}}, 1 << 62, "", ""},
		"no group": {machine{files: fstest.MapFS{"proc/meminfo": {Data: []byte("MemAvailable: 5 kB\n")}}}, 5121,
			"this machine has 5.12 kB available", "-c"},
	} {
		got := c.m.checkMemory(Need{Connections: 4, MemoryBytes: c.need})
		if c.message == "" && got != nil || c.message != "" &&
			(got == nil || !strings.Contains(got.Error(), c.message) || !strings.Contains(got.Hint, c.hint)) {
			t.Errorf("%s: got %v (%s), want %q (%q)", name, got, fail.HintOf(nilOr(got)), c.message, c.hint)
		}
	}
}

// Whatever the files hold, there is an answer.
func FuzzMachine(f *testing.F) {
	sockets, err := os.ReadFile("testdata/v2/proc/net/tcp6")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(sockets), "40000 40009", "1,5-7", "0::/a/b", "100", "5")
	f.Add("0: 0100007F:FFFF 0100007F:FFFF 06", "1 65535", "0-65535", "1:memory:/../..", "max", "x")
	f.Add("\n\n", "9 1", "7-", "0::", "18446744073709551615", "")
	f.Fuzz(func(t *testing.T, tcp, bounds, reserved, groups, limit, used string) {
		m := machine{files: fstest.MapFS{
			"proc/net/tcp":                              {Data: []byte(tcp)},
			"proc/sys/net/ipv4/ip_local_port_range":     {Data: []byte(bounds)},
			"proc/sys/net/ipv4/ip_local_reserved_ports": {Data: []byte(reserved)},
			"proc/self/cgroup":                          {Data: []byte(groups)},
			"proc/meminfo":                              {Data: []byte(used)},
			"sys/fs/cgroup/memory.max":                  {Data: []byte(limit)},
			"sys/fs/cgroup/memory.current":              {Data: []byte(used)},
			"sys/fs/cgroup/memory.stat":                 {Data: []byte(tcp)},
		}}
		if p, ok := m.portPool(); ok {
			target := netip.MustParseAddrPort("127.0.0.1:80")
			for _, bound := range []bool{false, true} {
				if n := p.free(target.Addr(), target, bound); n < 0 || n > p.size() {
					t.Fatalf("%d of %d ports are free", n, p.size())
				}
			}
			for _, s := range p.sockets {
				if !s.Local.IsValid() || !s.Remote.IsValid() {
					t.Fatalf("socket %+v", s)
				}
			}
		}
		if g, ok := m.groupMemory(); ok && g.free > g.limit {
			t.Fatalf("%d free of %d", g.free, g.limit)
		}
		m.checkMemory(Need{MemoryBytes: 1000})
	})
}

func TestListsOfSources(t *testing.T) {
	for text, want := range map[string]string{
		"127.0.0.1":                    "127.0.0.1",
		"127.0.0.2-127.0.0.4,10.0.0.1": "127.0.0.2 127.0.0.3 127.0.0.4 10.0.0.1",
		" 10.0.0.255 - 10.0.1.0 ,::1":  "10.0.0.255 10.0.1.0 ::1",
		"fe80::1%eth0":                 "fe80::1%eth0",
		"::ffff:127.0.0.1":             "127.0.0.1",
		"255.255.255.255":              "255.255.255.255",
	} {
		var got []string
		all, err := ParseSources(text)
		for _, a := range all {
			got = append(got, a.String())
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q: %v, %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"": "missing", "127.0.0.1,": "missing", "127.0.0.1-": "missing", "-": "missing",
		"localhost": `"localhost" is not an IP address`, "127.0.0.9-127.0.0.2": "ends before it begins",
		"127.0.0.1-::1": "one kind of address to another", "10.0.0.1,10.0.0.0-10.0.0.2": "10.0.0.1 stands in it twice",
		"0.0.0.0": "not an address to connect from", "224.0.0.1": "not an address to connect from",
		"10.0.0.0-10.1.0.0": "more than 65536 addresses", "127.0.0.1:80": "is not an IP address",
		"1.1.1.1-1.1.1.2-1.1.1.3": "not an IP address",
	} {
		all, err := ParseSources(text)
		if err == nil || !strings.Contains(err.Error(), want) || fail.HintOf(err) == "" ||
			fail.ExitCode(err) != int(fail.BadInput) {
			t.Errorf("%q: %d addresses, %v, want %q", text, len(all), err, want)
		}
	}
}

func FuzzParseSources(f *testing.F) {
	for _, s := range []string{"127.0.0.2-127.0.0.9,10.0.0.1", "::1-::5", "-", ",", "1.1.1.1-", "::-ffff::",
		"fe80::1%a-fe80::2%b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ParseSources(text)
		if err != nil {
			if all != nil || fail.HintOf(err) == "" {
				t.Fatalf("%q: %v, %v", text, all, err)
			}
			return
		}
		if len(all) == 0 || len(all) > maxSources ||
			slices.ContainsFunc(all, func(a netip.Addr) bool { return !a.IsValid() }) {
			t.Fatalf("%q: %d addresses", text, len(all))
		}
	})
}
