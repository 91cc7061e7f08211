package watch

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseTarget(t *testing.T) {
	at := func(word, hostPort, base, path string) Target {
		return Target{
			Word: word, HostPort: hostPort, Pages: base + path, Metrics: base + "/metrics",
			GuessedPages: path == "/debug/pprof", GuessedMetrics: true, AnyProtocol: !strings.Contains(word, "://"),
		}
	}
	for _, want := range []Target{
		{Word: "-", Trace: true},
		{Word: "4242", PID: 4242},
		{Word: "./cmd/server", Package: true},
		{Word: "main:./cmd/server", Package: true},
		{Word: "HEAD~1:cmd/x", Package: true},
		{Word: "./cmd/server -addr 127.0.0.1:80", Package: true},
		{Word: "example.com/cmd/x", Package: true},
		at("localhost:6060", "localhost:6060", "http://localhost:6060", "/debug/pprof"),
		at(":6060", "localhost:6060", "http://localhost:6060", "/debug/pprof"),
		at("[::1]:6060", "[::1]:6060", "http://[::1]:6060", "/debug/pprof"),
		at("http://a:1/", "a:1", "http://a:1", "/debug/pprof"),
		at("http://a:1/x/pprof/", "a:1", "http://a:1", "/x/pprof"),
		at("https://a", "a:443", "https://a:443", "/debug/pprof"),
		at("http://a:1/x?y#z", "a:1", "http://a:1", "/x"),
	} {
		if got, err := ParseTarget(want.Word); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v\nwant %+v", want.Word, got, err, want)
		}
	}
	for word, says := range map[string]string{"localhost": "names no port", "127.0.0.1": "names no port",
		"::1": "names no port", "0": "not a process ID", "-5": "not a process ID", "ftp://a": "not an address",
		"http://": "not an address", "http://a:b:c": "not an address"} {
		if _, err := ParseTarget(word); code(err) != 2 || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", word, err)
		}
	}
}
