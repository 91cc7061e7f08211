package services

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"time"
)

// entry is one request, for its line of the log.
type entry struct {
	at      time.Time
	took    time.Duration
	request *http.Request
	status  int
	bytes   int
}

// format makes a line of a log.
type format func(*entry) string

// combined is the format of the same name of Apache and nginx.
func combined(e *entry) string {
	r := e.request
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	return fmt.Sprintf(`%s - - [%s] "%s %s %s" %d %d "-" %q`, host, e.at.Format("02/Jan/2006:15:04:05 -0700"), r.Method, r.RequestURI, r.Proto, e.status, e.bytes, r.UserAgent())
}

// timed is combined with nginx's $request_time, which has milliseconds.
func timed(e *entry) string { return fmt.Sprintf("%s %.3f", combined(e), e.took.Seconds()) }

// caddy is the access log of Caddy.
func caddy(e *entry) string {
	r := e.request
	host, port, _ := net.SplitHostPort(r.RemoteAddr)
	return encode(map[string]any{
		"level": "info", "ts": seconds(e.at), "logger": "http.log.access", "msg": "handled request", "bytes_read": 0, "duration": e.took.Seconds(), "size": e.bytes, "status": e.status,
		"request": map[string]any{
			"remote_ip": host, "remote_port": port, "client_ip": host, "proto": r.Proto, "method": r.Method, "host": r.Host, "uri": r.RequestURI,
			"headers": map[string][]string{"User-Agent": {r.UserAgent()}},
		},
	})
}

// slogged is what log/slog's JSONHandler writes of a time.Duration: nanoseconds.
func slogged(e *entry) string {
	return encode(map[string]any{
		"time": e.at.Format(time.RFC3339Nano), "level": "INFO", "msg": "request", "method": e.request.Method, "uri": e.request.RequestURI,
		"status": e.status, "bytes": e.bytes, "duration": e.took,
	})
}

// slogParts has the path and the query apart, and milliseconds.
func slogParts(e *entry) string {
	return encode(map[string]any{
		"time": e.at.Format(time.RFC3339Nano), "level": "INFO", "msg": "served", "method": e.request.Method, "path": e.request.URL.Path, "query": e.request.URL.RawQuery,
		"status": e.status, "duration_ms": float64(e.took) / 1e6,
	})
}

// zapped is what zap's production encoder writes: Unix time and the latency, both in seconds.
func zapped(e *entry) string {
	return encode(map[string]any{
		"level": "info", "ts": seconds(e.at), "caller": "middleware/log.go:31", "msg": "request", "method": e.request.Method, "path": e.request.RequestURI,
		"status": e.status, "latency": e.took.Seconds(), "ip": e.request.RemoteAddr,
	})
}

func seconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

func encode(fields map[string]any) string {
	text, err := json.Marshal(fields)
	if err != nil {
		panic(err) // text and finite numbers have an encoding
	}
	return string(text)
}
