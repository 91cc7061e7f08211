package metrics

import (
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.uber.org/goleak"

	"github.com/gohone/hone/services/framed"
	"github.com/gohone/hone/services/internal/server"
	"github.com/gohone/hone/services/internal/servicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const want = `
# HELP framed_bytes_received_total Bytes read from clients.
# TYPE framed_bytes_received_total counter
framed_bytes_received_total 4
# HELP framed_bytes_sent_total Bytes handed to the kernel for clients.
# TYPE framed_bytes_sent_total counter
framed_bytes_sent_total 5
# HELP framed_client_connected Clients connected now.
# TYPE framed_client_connected gauge
framed_client_connected 1
# HELP framed_connections_accepted_total Connections that were served.
# TYPE framed_connections_accepted_total counter
framed_connections_accepted_total 6
# HELP framed_errors_total Connections refused, closed or lost for a fault, and failures to accept, by cause.
# TYPE framed_errors_total counter
framed_errors_total{cause="accept"} 11
framed_errors_total{cause="frame_too_long"} 14
framed_errors_total{cause="frame_too_short"} 12
framed_errors_total{cause="idle"} 8
framed_errors_total{cause="lost"} 10
framed_errors_total{cause="negative_frame_length"} 13
framed_errors_total{cause="refused"} 7
framed_errors_total{cause="stalled"} 9
framed_errors_total{cause="unknown_command"} 15
# HELP framed_requests_received_total Requests decoded.
# TYPE framed_requests_received_total counter
framed_requests_received_total 2
# HELP framed_responses_sent_total Answers handed to the kernel whole.
# TYPE framed_responses_sent_total counter
framed_responses_sent_total 3
`

// Every counter has its metric, and only its own.
func TestEachCounterIsShown(t *testing.T) {
	counters := framed.Counters{
		Requests: 2, Responses: 3, BytesReceived: 4, BytesSent: 5,
		Counts: server.Counts{
			Connected: 1, Accepted: 6, Refused: 7, Idle: 8, Stalled: 9, Lost: 10, AcceptFaults: 11,
			BadFrames: [8]uint64{12, 13, 14, 15},
		},
	}
	got := scrape(t, NewCollector(func() framed.Counters { return counters }))
	if got != strings.TrimLeft(want, "\n") {
		t.Errorf("scraped\n%s\nwant%s", got, want)
	}
}

// scrape returns the page that Prometheus would get of c.
func scrape(t *testing.T, c prometheus.Collector) string {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	if err := registry.Register(c); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 {
		t.Errorf("status %d", w.Code)
	}
	return w.Body.String()
}

// Through a registry, from a server that serves.
func TestServerIsShown(t *testing.T) {
	server, r, stop := servicetest.Start(t, servicetest.Listen(t), func(*slog.Logger) (*framed.Server, error) {
		return framed.New(framed.Config{})
	})
	client, err := framed.Dial(t.Context(), r.Addr)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := client.Submit(t.Context(), framed.ID([]byte("00000001")), make([]byte, 24)); err != nil {
			t.Fatal(err)
		}
	}
	client.Close()
	stop()

	got := scrape(t, NewCollector(server.Counters))
	servicetest.Contains(t, "page", got,
		"framed_client_connected 0\n", "framed_connections_accepted_total 1\n", "framed_requests_received_total 3\n",
		"framed_responses_sent_total 3\n", "framed_bytes_received_total 111\n", "framed_bytes_sent_total 42\n")
}
