package accesslog

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Lines as the programs write them, and what is read of each: time, request, status, how long it took, sizes, client.
func TestLinesOfPrograms(t *testing.T) {
	for _, tc := range []struct{ name, line, want string }{
		{"common", `192.0.2.7 - ann [02/Mar/2026:07:08:09 +0100] "GET /items?page=2 HTTP/1.1" 200 5120`,
			"06:08:09 GET /items?page=2 200 took - answer 5120 body -1 length -1 client 192.0.2.7"},
		{"Apache, nothing sent", `192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "HEAD / HTTP/1.0" 304 -`,
			"06:08:09 HEAD / 304 took - answer 0 body -1 length -1 client 192.0.2.7"},
		{"nginx combined with $request_time $request_length", `192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "POST /orders HTTP/1.1" 201 64 "https://shop.example/cart" "Mozilla/5.0 (X11; Linux)" 0.042 873`,
			"06:08:09 POST /orders 201 took 42ms answer 64 body -1 length 873 client 192.0.2.7"},
		{"nginx with names", `192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "GET / HTTP/2.0" 200 64 "-" "curl/8.5.0" rt=0.004 uct="0.001" urt="0.003" request_length=92`,
			"06:08:09 GET / 200 took 4ms answer 64 body -1 length 92 client 192.0.2.7"},
		{"Apache %D", `192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "GET / HTTP/1.1" 200 64 "-" "curl/8.5.0" 1530`,
			"06:08:09 GET / 200 took 1.53ms answer 64 body -1 length -1 client 192.0.2.7"},
		{"Apache combinedio (%I %O)", `192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "GET / HTTP/1.1" 200 64 "-" "curl/8.5.0" 81 310`,
			"06:08:09 GET / 200 took - answer 64 body -1 length 81 client 192.0.2.7"},
		{"vhost_combined", `shop.example:443 192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "GET / HTTP/1.1" 200 64 "-" "curl/8.5.0"`,
			"06:08:09 GET / 200 took - answer 64 body -1 length -1 client 192.0.2.7"},
		{"Traefik, common", `192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "GET /api HTTP/1.1" 200 64 "-" "curl/8.5.0" 17 "api@docker" "http://172.18.0.4:80" 12ms`,
			"06:08:09 GET /api 200 took 12ms answer 64 body -1 length -1 client 192.0.2.7"},
		{"Traefik, JSON", `{"ClientAddr":"192.0.2.7:51812","ClientHost":"192.0.2.7","ClientPort":"51812","DownstreamContentSize":64,"DownstreamStatus":200,"Duration":1812304,"OriginContentSize":64,"OriginDuration":1702111,"OriginStatus":200,"Overhead":110193,"RequestContentSize":12,"RequestMethod":"PUT","RequestPath":"/api?a=b","RequestProtocol":"HTTP/1.1","StartLocal":"2026-03-02T07:08:09.5+01:00","StartUTC":"2026-03-02T06:08:09.5Z","level":"info","time":"2026-03-02T06:08:10Z"}`,
			"06:08:09.5 PUT /api?a=b 200 took 1812304? answer 64 body 12 length -1 client 192.0.2.7:51812"},
		{"Caddy", `{"level":"info","ts":1772431689.25,"logger":"http.log.access.log0","msg":"handled request","request":{"remote_ip":"192.0.2.7","remote_port":"51812","client_ip":"192.0.2.7","proto":"HTTP/2.0","method":"GET","host":"shop.example","uri":"/items?x=1","headers":{"User-Agent":["curl/8.5.0"],"Accept-Encoding":["gzip"],"Cookie":["REDACTED"]}},"bytes_read":0,"user_id":"","duration":0.001812304,"size":64,"status":200,"resp_headers":{"Content-Type":["text/html"]}}`,
			"06:08:09.25 GET /items?x=1 200 took 0.001812304? answer 64 body 0 length -1 client 192.0.2.7:51812 [Accept-Encoding: gzip]"},
		{"nginx, escape=json", `{"time_iso8601":"2026-03-02T07:08:09+01:00","remote_addr":"192.0.2.7","request":"GET /items?x=1 HTTP/1.1","status":"200","body_bytes_sent":"64","request_time":"0.012","request_length":"92","http_user_agent":"curl/8.5.0"}`,
			"06:08:09 GET /items?x=1 200 took 12ms answer 64 body -1 length 92 client 192.0.2.7"},
		{"echo", `{"time":"2026-03-02T06:08:09.25Z","id":"","remote_ip":"192.0.2.7","host":"localhost:1323","method":"POST","uri":"/users","user_agent":"curl/8.5.0","status":201,"error":"","latency":1812304,"latency_human":"1.812304ms","bytes_in":31,"bytes_out":64}`,
			"06:08:09.25 POST /users 201 took 1.812304ms answer 64 body 31 length -1 client 192.0.2.7"},
		{"slog, JSON", `{"time":"2026-03-02T06:08:09.25Z","level":"INFO","msg":"request","method":"GET","path":"/items","query":"x=1","status":200,"duration":1812304,"bytes":64,"remote_addr":"192.0.2.7:51812"}`,
			"06:08:09.25 GET /items?x=1 200 took 1812304? answer 64 body -1 length -1 client 192.0.2.7:51812"},
		{"slog, groups", `{"time":"2026-03-02T06:08:09.25Z","level":"INFO","msg":"200: OK","request":{"method":"GET","path":"/items","ip":"192.0.2.7:51812","length":0},"response":{"status":200,"latency":1812304,"size":64}}`,
			"06:08:09.25 GET /items 200 took 1812304? answer 64 body 0 length -1 client 192.0.2.7:51812"},
		{"slog, text", `time=2026-03-02T06:08:09.250Z level=INFO msg="handled a request" method=GET path="/items?x=1" status=200 duration=1.812304ms bytes=64 remote_addr=192.0.2.7:51812`,
			"06:08:09.25 GET /items?x=1 200 took 1.812304ms answer 64 body -1 length -1 client 192.0.2.7:51812"},
		{"zap", `{"level":"info","ts":1772431689.25,"caller":"web/log.go:31","msg":"request","method":"GET","path":"/items","status":200,"latency":0.001812304,"ip":"192.0.2.7","user-agent":"curl/8.5.0"}`,
			"06:08:09.25 GET /items 200 took 0.001812304? answer -1 body -1 length -1 client 192.0.2.7"},
		{"zerolog", `{"level":"info","ip":"192.0.2.7","user_agent":"curl/8.5.0","method":"GET","url":"/items?x=1","status":200,"size":64,"duration":1.812304,"time":"2026-03-02T06:08:09Z","message":""}`,
			"06:08:09 GET /items?x=1 200 took 1.812304? answer 64 body -1 length -1 client 192.0.2.7"},
		{"httplog of chi", `{"level":"info","service":"shop","httpRequest":{"proto":"HTTP/1.1","remoteIP":"192.0.2.7:51812","requestID":"h/1","requestMethod":"GET","requestPath":"/items","requestURL":"http://localhost:8080/items?x=1"},"httpResponse":{"bytes":64,"elapsed":1.812304,"status":200},"timestamp":"2026-03-02T06:08:09.25Z","message":"Response: 200 OK"}`,
			"06:08:09.25 GET http://localhost:8080/items?x=1 200 took 1.812304? answer 64 body -1 length -1 client 192.0.2.7:51812"},
		{"load balancer of Google", `{"httpRequest":{"requestMethod":"GET","requestUrl":"https://shop.example/items?x=1","requestSize":"92","status":200,"responseSize":"64","remoteIp":"192.0.2.7","latency":"0.012304s"},"timestamp":"2026-03-02T06:08:09.25Z"}`,
			"06:08:09.25 GET https://shop.example/items?x=1 200 took 12.304ms answer 64 body 92 length -1 client 192.0.2.7"},
		{"names of OpenTelemetry", `{"timestamp":1772431689250,"http.request.method":"GET","url.path":"/items","url.query":"x=1","http.response.status_code":200,"http.request.body.size":12,"http.response.body.size":64,"client.address":"192.0.2.7","duration_ms":1.5}`,
			"06:08:09.25 GET /items?x=1 200 took 1.5ms answer 64 body 12 length -1 client 192.0.2.7"},
		{"Docker around a line", `{"log":"192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] \"GET / HTTP/1.1\" 200 64\n","stream":"stdout","time":"2026-03-02T06:08:10Z"}`,
			"06:08:09 GET / 200 took - answer 64 body -1 length -1 client 192.0.2.7"},
		{"Kubernetes around a line", `2026-03-02T06:08:10.5Z stdout F {"time":"2026-03-02T06:08:09Z","method":"GET","path":"/","status":200,"latency_us":1530}`,
			"06:08:09 GET / 200 took 1.53ms answer -1 body -1 length -1 client "},
	} {
		e, ok := parse(tc.line)
		if got := written(e); !ok || got != tc.want {
			t.Errorf("%s: %v\n got %s\nwant %s", tc.name, ok, got, tc.want)
		}
	}
}

// written is an entry as a test states it. A duration whose unit the line does not say has a question mark.
func written(e entry) string {
	took := "-"
	switch {
	case e.took.unit > 0:
		took = time.Duration(e.took.value * float64(e.took.unit)).Round(time.Nanosecond).String()
	case e.took.key != "":
		took = strings.TrimRight(fmt.Sprintf("%.9f", e.took.value), "0")
		took = strings.TrimSuffix(took, ".") + "?"
	}
	text := fmt.Sprintf("%s %s %s %d took %s answer %d body %d length %d client %s", e.at.UTC().Format("15:04:05.999"), e.method, e.target, e.status, took, e.answer, e.body, e.length, e.client)
	if len(e.headers) > 0 {
		text += fmt.Sprint(" ", e.headers)
	}
	return text
}

// The unit of a duration without one is that of most programs of Go.
func TestUnitsOfDurations(t *testing.T) {
	for _, tc := range []struct {
		values []string
		want   time.Duration
	}{
		{[]string{"0.001812304", "9.2e-05"}, time.Second},
		{[]string{"0.412304", "1.8123"}, time.Millisecond},
		{[]string{"1812304", "92112"}, time.Nanosecond},
		{[]string{"3", "0", "12"}, time.Millisecond},
		{[]string{"0.012", "0.003"}, time.Second},
		{[]string{"12.5", "3.125"}, time.Millisecond},
	} {
		f := newFitting()
		for _, value := range tc.values {
			took, ok := tookOf("duration", value)
			if !ok {
				t.Fatal(value)
			}
			f.duration(took)
		}
		if got := f.mostTook().scale(); got != tc.want {
			t.Errorf("%v: %v, want %v", tc.values, got, tc.want)
		}
	}
}

func TestEndpoints(t *testing.T) {
	for path, want := range map[string]string{
		"/":                       "/",
		"/items/7?full=1":         "/items/{}",
		"/v2/users/ann/orders/12": "/v2/users/ann/orders/{}",
		"/a/0190163d-8694-739b-aea5-966c26f8ad91/b": "/a/{}/b",
		"/files/report2026.pdf":                     "/files/{}",
		"/static/app.js":                            "/static/app.js",
	} {
		if got := endpointOf(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}

// Whatever stands in a line, its entry can be counted.
func checkEntry(t *testing.T, e entry, ok bool) {
	if !ok {
		return
	}
	if e.at.IsZero() || e.answer < -1 || e.body < -1 || e.took.value < 0 {
		t.Errorf("%+v", e)
	}
	if path, ok := pathOf(e.target); ok && (!strings.HasPrefix(path, "/") || strings.ContainsAny(path, " {}\r\n")) {
		t.Errorf("path %q of %q", path, e.target)
	}
	f := newFitting()
	f.see(&e, "/", f.bodySize(&e), true, 0)
	f.finish().Words()
}

func FuzzCommon(f *testing.F) {
	f.Add(`h 192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "POST / HTTP/1.1" 201 64 "-" "a \"b\"" 0.042 873 rt=1`)
	f.Fuzz(func(t *testing.T, line string) {
		e, ok := parseCommon(line)
		checkEntry(t, e, ok)
	})
}

func FuzzJSON(f *testing.F) {
	f.Add(`{"ts":1772431689.25,"request":{"remote_ip":"::1","remote_port":"1","method":"GET","uri":"/a","headers":{"Accept":["x"]}},"duration":1e-3,"size":6,"status":200}`)
	f.Add(`{"log":"{\"time\":\"2026-03-02T06:08:09Z\",\"path\":\"/\",\"latency\":\"1ms\"}"}`)
	f.Fuzz(func(t *testing.T, line string) {
		e, ok := parseJSON(line)
		checkEntry(t, e, ok)
	})
}

func FuzzPairs(f *testing.F) {
	f.Add(`time=2026-03-02T06:08:09Z msg="a b" method=GET path="/x y" duration=1ms`)
	f.Fuzz(func(t *testing.T, line string) {
		e, ok := parsePairs(line)
		checkEntry(t, e, ok)
	})
}
