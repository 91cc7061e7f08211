package main

import (
	"strings"
	"testing"
	"time"
)

const status = "Name:\tframed\nVmPeak:\t 1234 kB\nVmHWM:\t   20480 kB\nVmRSS:\t   10240 kB\nThreads:\t5\n"

func TestParseMemory(t *testing.T) {
	m, err := parseMemory(status)
	if err != nil || m.now != 10240<<10 || m.peak != 20480<<10 {
		t.Errorf("%+v, %v", m, err)
	}
	for text, want := range map[string]string{
		"Name:\tgone\n":          "no line Vm",
		"VmRSS:\t1 kB\n":         "no line VmHWM",
		"VmRSS:\t1 MB\n":         `VmRSS is "1 MB"`,
		"VmHWM:\tmuch kB\n":      `VmHWM is "much kB"`,
		"VmHWM:\t-1 kB\nVmRSS:1": `VmHWM is "-1 kB"`,
	} {
		if m, err := parseMemory(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v, want %q", text, m, err, want)
		}
	}
}

func FuzzParseMemory(f *testing.F) {
	f.Add(status)
	f.Add("VmRSS: 99999999999999999999 kB\nVmHWM: 0 kB")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := parseMemory(text)
		if err == nil && (m.now < 0 || m.peak < 0) || err != nil && m != (memory{}) {
			t.Errorf("%+v, %v", m, err)
		}
	})
}

// The report of services/rpc/cmd/rpcbench, and the peers' own, which has fewer lines.
const (
	benchReport = "took             485 ms\nsent             500000\nreceived         500000\nsucceeded        500000\nfailed           0\nthroughput (TPS) 1000000\n"
	peerReport  = "took             1000 ms\nsent             60\nsucceeded        50\nfailed           10\nthroughput (TPS) 50\n"
)

func TestParseCalls(t *testing.T) {
	r, err := parseCalls([]byte(benchReport))
	if err != nil || r.succeeded != 500_000 || r.perSecond != 1e6 || r.took() != 500*time.Millisecond {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = parseCalls([]byte(peerReport))
	if err != nil || r.succeeded != 50 || r.took() != time.Second {
		t.Errorf("%+v, %v", r, err)
	}
	for _, text := range []string{"", "succeeded 5\n", "succeeded 0\nthroughput (TPS) 0\n", "succeeded 99999999999999999999\nthroughput (TPS) 1\n"} {
		if r, err := parseCalls([]byte(text)); err == nil {
			t.Errorf("%q: %+v, want an error", text, r)
		}
	}
}

func FuzzParseCalls(f *testing.F) {
	f.Add([]byte(benchReport))
	f.Add([]byte(peerReport))
	f.Fuzz(func(t *testing.T, text []byte) {
		if r, err := parseCalls(text); err == nil && (r.succeeded < 1 || !(r.perSecond >= 1)) {
			t.Errorf("%+v", r)
		}
	})
}

func TestParseIdle(t *testing.T) {
	const good = `{"schema":1,"addr":"127.0.0.1:1","right":1300,"before":{"resident":9000000},
		"after":{"resident":14000000},"bytes_per_connection":{"resident":4567.5,"anonymous":4000,"file":567.5}}`
	s, err := parseIdle([]byte(good))
	if err != nil || s.value != 4567.5 || s.beside[0] != 14 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, text := range []string{"", "{}", `{"schema":1}`, strings.Replace(good, `"schema":1`, `"schema":2`, 1)} {
		if s, err := parseIdle([]byte(text)); err == nil {
			t.Errorf("%q: %+v, want an error", text, s)
		}
	}
}
