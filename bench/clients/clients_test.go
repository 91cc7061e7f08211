package clients

import (
	"strings"
	"testing"
)

// The report of services/rpc/cmd/rpcbench, and the peers' own, which has fewer lines.
const (
	benchReport = "took             485 ms\nsent             500000\nreceived         500000\nsucceeded        500000\nfailed           0\nthroughput (TPS) 1000000\n"
	peerReport  = "took             1000 ms\nsent             60\nsucceeded        50\nfailed           10\nthroughput (TPS) 50\n"
)

func TestParseCalls(t *testing.T) {
	if hz, err := parseCalls([]byte(benchReport), 500_000); err != nil || hz != 1e6 {
		t.Errorf("%v, %v", hz, err)
	}
	if hz, err := parseCalls([]byte(peerReport), 50); err != nil || hz != 50 {
		t.Errorf("%v, %v", hz, err)
	}
	for _, text := range []string{
		"", "succeeded 5\n", "throughput (TPS) 4000\n", "succeeded 0\nthroughput (TPS) 0\n",
		"succeeded 99999999999999999999\nthroughput (TPS) 1\n",
		strings.Replace(peerReport, "succeeded        50", "succeeded        49", 1),
		strings.Replace(peerReport, "(TPS) 50", "(TPS) NaN", 1),
	} {
		if hz, err := parseCalls([]byte(text), 50); err == nil {
			t.Errorf("%q: %v, want an error", text, hz)
		}
	}
}

func FuzzParseCalls(f *testing.F) {
	f.Add([]byte(benchReport), 500_000)
	f.Add([]byte(peerReport), 50)
	f.Fuzz(func(t *testing.T, text []byte, total int) {
		if hz, err := parseCalls(text, total); err == nil && (total < 0 || !(hz >= 1)) {
			t.Errorf("%v", hz)
		}
	})
}

func TestParseIdle(t *testing.T) {
	const good = `{"schema":1,"addr":"127.0.0.1:1","right":1300,"before":{"resident":9000000},
		"after":{"resident":14000000},"bytes_per_connection":{"resident":4567.5,"anonymous":4000,"file":567.5}}`
	s, err := parseIdle([]byte(good))
	if err != nil || s != (Idle{4567.5, 14e6}) {
		t.Errorf("%+v, %v", s, err)
	}
	for _, text := range []string{"", "{}", `{"schema":1}`, strings.Replace(good, `"schema":1`, `"schema":2`, 1)} {
		if s, err := parseIdle([]byte(text)); err == nil {
			t.Errorf("%q: %+v, want an error", text, s)
		}
	}
}
