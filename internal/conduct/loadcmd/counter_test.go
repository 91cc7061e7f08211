package loadcmd

import (
	"context"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
)

const vars = `{"cmdline": ["x"], "hits": 3, "web": {"a.b": 4, "deep": {"n": 5.5}}, "memstats": {"Alloc": "much"}}`

func TestCounters(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/metrics", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w,
			"# TYPE hits_total counter\nhits_total{code=\"200\",path=\"/\"} 5\nhits_total{code=\"200\",path=\"/x\"} 6\nhits_total{code=\"500\",path=\"/\"} 100\nother 1e3\n")
	})
	mux.HandleFunc("/debug/vars", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, vars) })
	mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hits_total{ 5\n") })
	server := httptest.NewServer(mux)
	defer server.Close()
	dial := func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", server.Listener.Addr().String())
	}
	for _, test := range []struct {
		name, page string
		want       float64
		fault      string
	}{
		{"hits_total", "", 111, ""},
		{`hits_total{code="200"}`, "", 11, ""},
		{`hits_total{path=~"/x|/y"}`, "", 6, ""},
		{"other", server.URL + "/metrics", 1000, ""},
		{`hits_total{code="404"}`, "", 0, "from the port under load: /metrics: it is not there"},
		{"hits_total", server.URL + "/nowhere", 0, "it answers 404 Not Found"},
		{"hits_total", server.URL + "/broken", 0, "read --set load-cmd.metric=hits_total from " + server.URL +
			"/broken"},
		{"expvar:hits", "", 3, ""},
		{"expvar:web.a.b", "", 4, ""},
		{"expvar:web.deep.n", "", 5.5, ""},
		{"expvar:web.none", "", 0, "it is not there"},
		{"expvar:memstats.Alloc", "", 0, "it is not a number"},
		{"expvar:hits", server.URL + "/metrics", 0, "bytes, # TYPE hits_total counter hits_total{code=\"200\""},
		{"expvar:hits", server.URL + "/metrics", 0,
			"it is not JSON from byte 1 (line 1, column 1): invalid character '#'"},
	} {
		c, err := newCounter(test.name, test.page, dial)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.value(t.Context())
		if got != test.want || (err == nil) != (test.fault == "") ||
			err != nil && !strings.Contains(err.Error(), test.fault) {
			t.Errorf("%s of %q: %g, %v\nwant %g %q", test.name, test.page, got, err, test.want, test.fault)
		}
		c.client.CloseIdleConnections()
	}
}

func TestNamesOfCounters(t *testing.T) {
	for name, ok := range map[string]bool{"hits_total": true, `a{b!="c"}`: true, "expvar:a": true, "": false,
		"expvar:": false, "a b": false, "rate(a[1m])": false} {
		if err := checkCounter(name); (err == nil) != ok || err != nil && fail.HintOf(err) == "" {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := check(spec.LoadCommand{Words: []string{"wrk"}, Ops: "(x)", Metric: "y"}); err == nil ||
		!strings.Contains(err.Error(), "both count") {
		t.Error("both ways to count:", err)
	}
}

func TestBetween(t *testing.T) {
	if n, err := between(10, 25.4); n != 15 || err != nil {
		t.Error(n, err)
	}
	for _, pair := range [][2]float64{{5, 4}, {0, math.Inf(1)}, {math.NaN(), 4}} {
		if n, err := between(pair[0], pair[1]); n != 0 || err == nil {
			t.Error(pair, n, err)
		}
	}
}

// Pages come from the program: none may panic or make a number of nothing.
func FuzzPage(f *testing.F) {
	f.Add([]byte("hits_total{code=\"200\"} 5\n"), "text/plain; version=0.0.4")
	f.Add([]byte("# TYPE hits counter\nhits_total 5\n# EOF\n"), "application/openmetrics-text")
	f.Add([]byte(vars), "")
	all, err := matchers("hits_total")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		if v, err := readMetric(body, contentType, all); err != nil && v != 0 {
			t.Fatal(v, err)
		}
		if v, err := readExpvar(body, "web.deep.n"); err != nil && v != 0 {
			t.Fatal(v, err)
		}
	})
}
