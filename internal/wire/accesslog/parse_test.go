package accesslog

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Lines as the programs write them, and what is read of each: time, request, status, how long it took, sizes, client.
func TestLinesOfPrograms(t *testing.T) {
	for _, tc := range []struct{ name, line, want, format string }{
		{"common", `192.0.2.7 - ann [02/Mar/2026:07:08:09 +0100] "GET /items?page=2 HTTP/1.1" 200 5120`,
			"06:08:09 GET /items?page=2 200 took - answer 5120 body -1 length -1 client 192.0.2.7", ""},
		{"Apache, nothing sent", `192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "HEAD / HTTP/1.0" 304 -`,
			"06:08:09 HEAD / 304 took - answer 0 body -1 length -1 client 192.0.2.7", ""},
		{"nginx combined with $request_time $request_length",
			`192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "POST /orders HTTP/1.1" 201 64 "https://shop.example/cart" "Mozilla/5.0 (X11; Linux)" 0.042 873`,
			"06:08:09 POST /orders 201 took 42ms answer 64 body -1 length 873 client 192.0.2.7",
			`$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $request_time $request_length`},
		{"nginx with names",
			`192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "GET / HTTP/2.0" 200 64 "-" "curl/8.5.0" rt=0.004 uct="0.001" urt="0.003" request_length=92`,
			"06:08:09 GET / 200 took 4ms answer 64 body -1 length 92 client 192.0.2.7", ""},
		{"Apache %D", `192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "GET / HTTP/1.1" 200 64 "-" "curl/8.5.0" 1530`,
			"06:08:09 GET / 200 took 1.53ms answer 64 body -1 length -1 client 192.0.2.7",
			`%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i" %D`},
		{"Apache combinedio (%I %O)",
			`192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "GET / HTTP/1.1" 200 64 "-" "curl/8.5.0" 81 310`,
			"06:08:09 GET / 200 took - answer 310 body -1 length 81 client 192.0.2.7",
			`LogFormat "%h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\" %I %B" combinedio`},
		{"vhost_combined",
			`shop.example:443 192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "GET / HTTP/1.1" 200 64 "-" "curl/8.5.0"`,
			"06:08:09 GET / 200 took - answer 64 body -1 length -1 client 192.0.2.7", ""},
		{"Traefik, common",
			`192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "GET /api HTTP/1.1" 200 64 "-" "curl/8.5.0" 17 "api@docker" "http://172.18.0.4:80" 12ms`,
			"06:08:09 GET /api 200 took 12ms answer 64 body -1 length -1 client 192.0.2.7", ""},
		{"Traefik, JSON",
			`{"ClientAddr":"192.0.2.7:51812","ClientHost":"192.0.2.7","ClientPort":"51812","DownstreamContentSize":64,"DownstreamStatus":200,"Duration":1812304,"OriginContentSize":64,"OriginDuration":1702111,"OriginStatus":200,"Overhead":110193,"RequestContentSize":12,"RequestMethod":"PUT","RequestPath":"/api?a=b","RequestProtocol":"HTTP/1.1","StartLocal":"2026-03-02T07:08:09.5+01:00","StartUTC":"2026-03-02T06:08:09.5Z","level":"info","time":"2026-03-02T06:08:10Z"}`,
			"06:08:09.5 PUT /api?a=b 200 took 1.812304ms answer 64 body 12 length -1 client 192.0.2.7:51812", ""},
		{"Caddy", `{"level":"info","ts":1772431689.25,"logger":"http.log.access.log0","msg":"handled request","request":{"remote_ip":"192.0.2.7","remote_port":"51812","client_ip":"192.0.2.7","proto":"HTTP/2.0","method":"GET","host":"shop.example","uri":"/items?x=1","headers":{"User-Agent":["curl/8.5.0"],"Accept-Encoding":["gzip"],"Cookie":["REDACTED"]}},"bytes_read":0,"user_id":"","duration":0.001812304,"size":64,"status":200,"resp_headers":{"Content-Type":["text/html"]}}`,
			"06:08:09.25 GET /items?x=1 200 took 1.812304ms answer 64 body 0 length -1 client 192.0.2.7:51812 [Accept-Encoding: gzip]", ""},
		{"nginx, escape=json",
			`{"time_iso8601":"2026-03-02T07:08:09+01:00","remote_addr":"192.0.2.7","request":"GET /items?x=1 HTTP/1.1","status":"200","body_bytes_sent":"64","request_time":"0.012","request_length":"92","http_user_agent":"curl/8.5.0"}`,
			"06:08:09 GET /items?x=1 200 took 12ms answer 64 body -1 length 92 client 192.0.2.7", ""},
		{"echo", `{"time":"2026-03-02T06:08:09.25Z","id":"","remote_ip":"192.0.2.7","host":"localhost:1323","method":"POST","uri":"/users","user_agent":"curl/8.5.0","status":201,"error":"","latency":1812304,"latency_human":"1.812304ms","bytes_in":31,"bytes_out":64}`,
			"06:08:09.25 POST /users 201 took 1.812304ms answer 64 body 31 length -1 client 192.0.2.7", ""},
		{"slog, JSON",
			`{"time":"2026-03-02T06:08:09.25Z","level":"INFO","msg":"request","method":"GET","path":"/items","query":"x=1","status":200,"duration":1812304,"bytes":64,"remote_addr":"192.0.2.7:51812"}`,
			"06:08:09.25 GET /items?x=1 200 took 1812304? answer 64 body -1 length -1 client 192.0.2.7:51812", ""},
		{"slog, groups",
			`{"time":"2026-03-02T06:08:09.25Z","level":"INFO","msg":"200: OK","request":{"method":"GET","path":"/items","ip":"192.0.2.7:51812","length":0},"response":{"status":200,"latency":1812304,"size":64}}`,
			"06:08:09.25 GET /items 200 took 1812304? answer 64 body 0 length -1 client 192.0.2.7:51812", ""},
		{"slog, text",
			`time=2026-03-02T06:08:09.250Z level=INFO msg="handled a request" method=GET path="/items?x=1" status=200 duration=1.812304ms bytes=64 remote_addr=192.0.2.7:51812`,
			"06:08:09.25 GET /items?x=1 200 took 1.812304ms answer 64 body -1 length -1 client 192.0.2.7:51812", ""},
		{"zap", `{"level":"info","ts":1772431689.25,"caller":"web/log.go:31","msg":"request","method":"GET","path":"/items","status":200,"latency":0.001812304,"ip":"192.0.2.7","user-agent":"curl/8.5.0"}`,
			"06:08:09.25 GET /items 200 took 0.001812304? answer -1 body -1 length -1 client 192.0.2.7", ""},
		{"zerolog", `{"level":"info","ip":"192.0.2.7","user_agent":"curl/8.5.0","method":"GET","url":"/items?x=1","status":200,"size":64,"duration":1.812304,"time":"2026-03-02T06:08:09Z","message":""}`,
			"06:08:09 GET /items?x=1 200 took 1.812304? answer 64 body -1 length -1 client 192.0.2.7", ""},
		{"httplog of chi",
			`{"level":"info","service":"shop","httpRequest":{"proto":"HTTP/1.1","remoteIP":"192.0.2.7:51812","requestID":"h/1","requestMethod":"GET","requestPath":"/items","requestURL":"http://localhost:8080/items?x=1"},"httpResponse":{"bytes":64,"elapsed":1.812304,"status":200},"timestamp":"2026-03-02T06:08:09.25Z","message":"Response: 200 OK"}`,
			"06:08:09.25 GET http://localhost:8080/items?x=1 200 took 1.812304? answer 64 body -1 length -1 client 192.0.2.7:51812", ""},
		{"load balancer of Google",
			`{"httpRequest":{"requestMethod":"GET","requestUrl":"https://shop.example/items?x=1","requestSize":"92","status":200,"responseSize":"64","remoteIp":"192.0.2.7","latency":"0.012304s"},"timestamp":"2026-03-02T06:08:09.25Z"}`,
			"06:08:09.25 GET https://shop.example/items?x=1 200 took 12.304ms answer 64 body 92 length -1 client 192.0.2.7", ""},
		{"names of OpenTelemetry",
			`{"timestamp":1772431689250,"http.request.method":"GET","url.path":"/items","url.query":"x=1","http.response.status_code":200,"http.request.body.size":12,"http.response.body.size":64,"client.address":"192.0.2.7","duration_ms":1.5}`,
			"06:08:09.25 GET /items?x=1 200 took 1.5ms answer 64 body 12 length -1 client 192.0.2.7", ""},
		{"Docker around a line",
			`{"log":"192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] \"GET / HTTP/1.1\" 200 64\n","stream":"stdout","time":"2026-03-02T06:08:10Z"}`,
			"06:08:09 GET / 200 took - answer 64 body -1 length -1 client 192.0.2.7", ""},
		{"Kubernetes around a line",
			`2026-03-02T06:08:10.5Z stdout F {"time":"2026-03-02T06:08:09Z","method":"GET","path":"/","status":200,"latency_us":1530}`,
			"06:08:09 GET / 200 took 1.53ms answer -1 body -1 length -1 client ", ""},
		{"combined, and numbers that have no name",
			`192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "GET / HTTP/1.1" 200 64 "-" "curl/8.5.0" 1772431689.250 0.020 17`,
			"06:08:09 GET / 200 took - answer 64 body -1 length -1 client 192.0.2.7", ""},
		{"the same with nginx's configuration",
			`192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "GET / HTTP/1.1" 200 64 "-" "curl/8.5.0" 1772431689.250 0.020 17`,
			"06:08:09 GET / 200 took 20ms answer 64 body -1 length -1 client 192.0.2.7",
			"log_format timed '$remote_addr - $remote_user [$time_local] \"$request\" '\n   '$status $body_bytes_sent \"$http_referer\" '\n '\"$http_user_agent\" $msec $request_time $connection';"},
		{"combined, a time of day before rt=",
			`192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "GET /a HTTP/1.1" 200 64 "-" "a" "-" 1772431689.250 rt=0.020 ut="0.019, 0.1" ua="a b" us="200"`,
			"06:08:09 GET /a 200 took 20ms answer 64 body -1 length -1 client 192.0.2.7", ""},
		{"Envoy", `[2026-03-02T06:08:09.250Z] "POST /a?x=0 HTTP/1.1" 200 - 12 1234 25 24 "-" "curl/8" "0f-0" "shop:80" "10.0.0.2:80"`,
			"06:08:09.25 POST /a?x=0 200 took 25ms answer 1234 body 12 length -1 client ", ""},
		{"Envoy without an answer",
			`[2026-03-02T06:08:09.250Z] "GET /a HTTP/2" 503 UH 0 19 0 - "-" "curl/8" "0f-0" "shop:80" "-"`,
			"06:08:09.25 GET /a 503 took 0s answer 19 body 0 length -1 client ", ""},
		{"Istio, text",
			`[2026-03-02T06:08:09.250Z] "GET /a HTTP/1.1" 200 - via_upstream - "-" 0 178 4 3 "-" "curl/7.6" "84961386" "httpbin:8000" "10.44.1.27:80" outbound|8000||httpbin 10.44.1.23:37652 10.0.45.184:8000 10.44.1.23:46520 - default`,
			"06:08:09.25 GET /a 200 took 4ms answer 178 body 0 length -1 client ", ""},
		{"Istio, JSON",
			`{"authority":"shop:80","bytes_received":7,"bytes_sent":178,"downstream_local_address":"10.0.0.1:9080","downstream_remote_address":"192.0.2.7:5678","duration":1500,"method":"GET","path":"/a?b=c","protocol":"HTTP/1.1","response_code":200,"response_code_details":"via_upstream","response_flags":"-","start_time":"2026-03-02T06:08:09.250Z","upstream_service_time":"3","user_agent":"curl/7.6"}`,
			"06:08:09.25 GET /a?b=c 200 took 1.5s answer 178 body 7 length -1 client 192.0.2.7:5678", ""},
		{"gin", `[GIN] 2026/03/02 - 06:08:09 | 200 |      1.5304ms |       192.0.2.7 | GET      "/items?x=1"`,
			"06:08:09 GET /items?x=1 200 took 1.5304ms answer -1 body -1 length -1 client 192.0.2.7", ""},
		{"chi", `2026/03/02 06:08:09 [host/a1-000001] "GET http://shop.example/items HTTP/1.1" from 192.0.2.7:51812 - 200 64B in 45.2µs`,
			"06:08:09 GET http://shop.example/items 200 took 45.2µs answer 64 body -1 length -1 client 192.0.2.7:51812",
			""},
		{"chi in colours, without an identifier",
			"2026/03/02 06:08:09 \x1b[36m\"\x1b[0mGET http://[::1]:80/ HTTP/1.1\x1b[36m\" \x1b[0mfrom [::1]:1 - \x1b[32m404\x1b[0m \x1b[34m0B\x1b[0m in 2.5s",
			"06:08:09 GET http://[::1]:80/ 404 took 2.5s answer 0 body -1 length -1 client [::1]:1", ""},
		{"HAProxy", `Mar  2 06:08:09 lb haproxy[14389]: 192.0.2.7:33317 [02/Mar/2026:06:08:09.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {1wt.eu} {} "GET /index.html HTTP/1.1"`,
			"06:08:09.655 GET /index.html 200 took 109ms answer 2750 body -1 length -1 client 192.0.2.7:33317", ""},
		{"Docker Compose around a line", `web-1  | 192.0.2.7 - ann b [02/Mar/2026:06:08:09 +0000] "-" 408 -`,
			"06:08:09   408 took - answer 0 body -1 length -1 client 192.0.2.7", ""},
		{"a format with a path and a query, and other parts",
			`192.0.2.7:51812|2026-03-02T06:08:09+00:00|GET|/a|x=1|200|0.1, 0.2|0.250|tail`,
			"06:08:09 GET /a?x=1 200 took 250ms answer -1 body -1 length -1 client 192.0.2.7:51812",
			"$remote_addr:$remote_port|$time_iso8601|$request_method|$uri|$args|$status|$upstream_response_time|$request_time|$what"},
		{"nginx's JSON by its format", `{"t":1772431689.250,"rt":0.020,"r":"GET /\x22 HTTP/1.1","s":200}`,
			"06:08:09.25 GET /\" 200 took 20ms answer -1 body -1 length -1 client ",
			`log_format j escape=json '{"t":$msec,"rt":$request_time,"r":"$request","s":$status}';`},
		{"Apache's parts of a request",
			`shop.example 192.0.2.7 [02/Mar/2026:06:08:09 +0000] GET /a ?x=1 HTTP/1.1 200 64 15`,
			"06:08:09 GET /a?x=1 200 took 15ms answer 64 body -1 length -1 client 192.0.2.7",
			"%v %a %t %m %U %q %H %>s %B %{ms}T"},
	} {
		f, err := newFormats(tc.format)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		e, ok := f.parse(tc.line)
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
	text := fmt.Sprintf("%s %s %s %d took %s answer %d body %d length %d client %s", e.at.UTC().Format("15:04:05.999"),
		e.method, e.target, e.status, took, e.answer, e.body, e.length, e.client)
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
	f.countRequest(&e, "/", f.bodySize(&e), true, 0)
	f.finish().Words()
}

func FuzzCommon(f *testing.F) {
	f.Add(`[2026-03-02T06:08:09Z] "GET /a HTTP/1.1" 200 - 0 1 25 24 "-" "c" "i" "h" "u" rt=1 "`)
	f.Add(`[GIN] 2026/03/02 - 06:08:09 | 200 | 1ms | ::1 | GET "/"`)
	f.Add(`h 192.0.2.7 - - [02/Mar/2026:06:08:09 +0000] "POST / HTTP/1.1" 201 64 "-" "a \"b\"" 0.042 873 rt=1`)
	f.Fuzz(func(t *testing.T, line string) {
		formats, err := newFormats("")
		if err != nil {
			t.Fatal(err)
		}
		e, ok := formats.parse(line)
		checkEntry(t, e, ok)
	})
}

func FuzzJSON(f *testing.F) {
	f.Add(`{"ts":1772431689.25,"request":{"remote_ip":"::1","remote_port":"1","method":"GET","uri":"/a","headers":{"Accept":["x"]}},"duration":1e-3,"size":6,"status":200}`)
	f.Add(`{"log":"{\"time\":\"2026-03-02T06:08:09Z\",\"path\":\"/\",\"latency\":\"1ms\"}"}`)
	f.Fuzz(func(t *testing.T, line string) {
		e, _, ok := parseJSON(line)
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

// A format that the user gives is refused with a reason, or reads any line without a fault; a line that is not in it is
// explained.
func FuzzFormat(f *testing.F) {
	f.Add(`$remote_addr [$time_local] "$request" $status ${request_time}s`,
		`h [02/Mar/2026:06:08:09 +0000] "GET / HTTP/1.1" 200 0.1s`)
	f.Add(`log_format x escape=json '{"t":"$msec"' ',"r":"$request"}';`, `{"t":"1","r":"GET /"}`)
	f.Add(`%h %t "%r" %{%Y}t %{X-A}i %%`, `x`)
	f.Fuzz(func(t *testing.T, format, line string) {
		formats, err := newFormats(format)
		if err != nil {
			return
		}
		if e, ok := formats.parse(line); ok {
			checkEntry(t, e, ok)
		} else if formats.given && formats.layouts[0].mismatch(line) == "" {
			t.Error("no word of what differs")
		}
	})
}
