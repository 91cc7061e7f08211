package accesslog_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/accesslog"
	"github.com/gohone/hone/internal/wire/requests"
)

var update = flag.Bool("update", false, "write the golden files")

// read reads logs, one after the other.
func read(o accesslog.Options, logs ...[]byte) (*requests.List, *accesslog.Fit, error) {
	l, err := accesslog.New("a.log", o)
	if err != nil {
		return nil, nil, err
	}
	for _, text := range logs {
		if err := l.Read(context.Background(), "a.log", bytes.NewReader(text)); err != nil {
			return nil, nil, err
		}
	}
	return l.Finish()
}

// whole is all that a list holds.
func whole(l *requests.List) string {
	var b strings.Builder
	for _, r := range l.Requests {
		fmt.Fprintf(&b, "%dx %s %s %q %q\n", r.Weight, r.Method, r.Path, r.Headers, r.Body)
	}
	fmt.Fprintln(&b, "order", l.Order, "moments", l.Moments)
	return b.String() + strings.Join(l.Summary("access.log", "lines"), "\n") + "\n"
}

func packed(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAccessLogs(t *testing.T) {
	text, err := os.ReadFile("testdata/access.log")
	if err != nil {
		t.Fatal(err)
	}
	l, fit, err := read(accesslog.Options{}, text)
	if err != nil {
		t.Fatal(err)
	}
	got := whole(l) + strings.Join(fit.Words(), "\n") + "\n"
	if *update {
		if err := os.WriteFile("testdata/access.golden", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile("testdata/access.golden"); err != nil || got != string(want) {
		t.Errorf("%v; got\n%s\nwant\n%s", err, got, want)
	}
	// The parts of a rotated log, one of them packed, are the log.
	half := bytes.Index(text, []byte("HEAD"))
	half = bytes.LastIndexByte(text[:half], '\n') + 1
	parts, _, err := read(accesslog.Options{}, packed(t, text[:half]), text[half:])
	if err != nil || whole(parts) != strings.Replace(whole(l), "line 11", "line 7", 1) {
		t.Errorf("in parts: %v\n%s", err, whole(parts))
	}
	cut := packed(t, text)
	if _, _, err := read(accesslog.Options{}, cut[:len(cut)-20]); err == nil ||
		!strings.Contains(err.Error(), "a.log: line ") {
		t.Errorf("a packed log that breaks off: %v", err)
	}
}

func TestMomentsOfOneSecondAreSpread(t *testing.T) {
	var b bytes.Buffer
	for i := range 4 {
		fmt.Fprintf(&b, "h - - [31/Jan/2026:12:00:00 +0000] \"GET /%d HTTP/1.1\" 200 1\n", i)
	}
	l, _, err := read(accesslog.Options{}, b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if want := []time.Duration{0, 250 * time.Millisecond, 500 * time.Millisecond,
		750 * time.Millisecond}; !slices.Equal(l.Moments, want) {
		t.Errorf("moments are %v", l.Moments)
	}
}

func TestBadLogsSayWhere(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"", "a.log has no entries"},
		{"\nhello\n", `a.log: no line is in a known format of access logs; line 2 is "hello"`},
		{`{"msg": "starting"}` + "\n", `line 1 is "{\"msg\": \"starting\"}"`},
		{strings.Repeat("x", 70<<10), "none of its 1 entries is taken: 1 longer than 64 KiB"},
		{"\x1f\x8bxx", "a.log: unpack: "},
	} {
		_, _, err := read(accesslog.Options{}, []byte(tc.text))
		var e *fail.Error
		if !errors.As(err, &e) || e.Kind != fail.BadInput || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v, want %q", err, tc.want)
		}
	}
}

// Bodies are as long as those of the log, which has the lengths of whole requests.
func TestBodiesHaveTheSizesOfTheLog(t *testing.T) {
	var b bytes.Buffer
	for i := range 400 {
		fmt.Fprintf(&b,
			"h - - [31/Jan/2026:12:00:00 +0000] \"GET /items HTTP/1.1\" 200 1 \"-\" \"-\" rt=0.001 request_length=%d\n",
			len("GET/items")+80)
		fmt.Fprintf(&b,
			"h - - [31/Jan/2026:12:00:00 +0000] \"POST /items HTTP/1.1\" 200 1 \"-\" \"-\" rt=0.001 request_length=%d\n", len("POST/items")+80+1000*(1+i%3))
	}
	var sizes []int64
	l, fit, err := read(accesslog.Options{Body: func(r *wire.Request, size int64) bool {
		sizes = append(sizes, size)
		r.Body = make([]byte, size)
		return true
	}}, b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if len(sizes) != 400 || sizes[0] != 1000 || sizes[1] != 2000 || sizes[2] != 3000 || len(l.Requests) != 4 {
		t.Errorf("%d sizes, first %v; %d requests", len(sizes), sizes[:3], len(l.Requests))
	}
	if words := strings.Join(fit.Words(), "\n"); !strings.Contains(words,
		"bodies of POST /items: 2.00 kB in the log, 2.00 kB in the load") {
		t.Errorf("words are\n%s", words)
	}
	if _, fit, err = read(accesslog.Options{}, b.Bytes()); err != nil ||
		!strings.Contains(strings.Join(fit.Words(), "\n"),
			"1 endpoint needs a body that the log does not have: POST /items (50.0 %)") {
		t.Errorf("%v, words are\n%s", err, strings.Join(fit.Words(), "\n"))
	}
}

func FuzzLog(f *testing.F) {
	text, err := os.ReadFile("testdata/access.log")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		log, err := accesslog.New("a.log", accesslog.Options{})
		if err != nil {
			t.Fatal(err)
		}
		err = log.Read(t.Context(), "a.log", io.LimitReader(bytes.NewReader(text), 1<<20))
		var l *requests.List
		if err == nil {
			l, _, err = log.Finish()
		}
		if err != nil {
			var e *fail.Error
			if !errors.As(err, &e) || e.Kind != fail.BadInput {
				t.Errorf("%v is not an input error", err)
			}
			return
		}
		if len(l.Order) != l.Taken() || len(l.Moments) != len(l.Order) || len(l.Requests) == 0 ||
			!slices.IsSorted(l.Moments) {
			t.Fatalf("%d turns, moments %v, %d taken, %d requests", len(l.Order), l.Moments, l.Taken(), len(l.Requests))
		}
		for _, turn := range l.Order {
			if int(turn) >= len(l.Requests) {
				t.Fatalf("turn of request %d of %d", turn, len(l.Requests))
			}
		}
	})
}

// Spans of servers are requests, those within them are not, and those of another service are left out.
func TestSpans(t *testing.T) {
	var b bytes.Buffer
	id := 0
	span := func(service string, kind, from int, attributes string) {
		id++
		fmt.Fprintf(&b,
			`{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":%q}}]},"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169%06d","name":"GET","kind":%d,"startTimeUnixNano":"17724316890%08d","endTimeUnixNano":"17724316890%08d","attributes":[%s]}]}]}]}`+"\n",
			service, id, kind, from, from+5_000_000, attributes)
	}
	get := `{"key":"http.request.method","value":{"stringValue":"GET"}},{"key":"url.path","value":{"stringValue":"/items"}},{"key":"url.query","value":{"stringValue":"page=2"}},{"key":"http.response.status_code","value":{"intValue":"200"}},{"key":"network.peer.address","value":{"stringValue":"192.0.2.7"}}`
	old := `{"key":"http.method","value":{"stringValue":"GET"}},{"key":"http.target","value":{"stringValue":"/old?a=b"}},{"key":"http.status_code","value":{"intValue":"404"}}`
	span("shop", 2, 0, get)
	span("shop", 3, 1_000_000, get)
	span("shop", 2, 20_000_000, old)
	span("users", 2, 21_000_000, get)
	span("shop", 2, 30_000_000, `{"key":"rpc.system","value":{"stringValue":"grpc"}}`)
	l, fit, err := read(accesslog.Options{}, packed(t, b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Requests) != 2 || l.Requests[0].Path != "/items?page=2" || l.Requests[1].Path != "/old?a=b" ||
		len(l.LeftOut) != 2 || l.Found != 4 || l.Spread {
		t.Errorf("%+v", l)
	}
	if fit.Durations != "the spans" || fit.Statuses[404] != 1 || fit.AtOnce != 0.005 ||
		l.Moments[1] != 20*time.Millisecond {
		t.Errorf("%+v, moments %v", fit, l.Moments)
	}
	// What was exported twice counts once.
	twice, again, err := read(accesslog.Options{}, b.Bytes(), b.Bytes())
	if err != nil || fmt.Sprint(twice.Order) != fmt.Sprint(l.Order) || again.AtOnce != fit.AtOnce ||
		!slices.Contains(twice.LeftOut, requests.Reason{Why: "spans that the file has more than once", Count: 4}) {
		t.Errorf("%v, %+v", err, twice)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	log, err := accesslog.New("a.log", accesslog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Read(stopped, "a.log", bytes.NewReader(b.Bytes())); !errors.Is(err, context.Canceled) {
		t.Errorf("it does not stop: %v", err)
	}
	if l, _, err = read(accesslog.Options{Service: "users"}, b.Bytes()); err != nil || len(l.Order) != 1 {
		t.Errorf("of the other service: %v", err)
	}
	if _, _, err = read(accesslog.Options{}, []byte("{\"resourceSpans\": 7}\n")); err == nil ||
		!strings.Contains(err.Error(), "a.log: line 1") {
		t.Errorf("a damaged line: %v", err)
	}
}

// A number has the meaning that a format gives it, and none without one; a format that is wrong is refused with what to
// write.
func TestFormats(t *testing.T) {
	var b bytes.Buffer
	for i := range 20 {
		fmt.Fprintf(&b,
			"192.0.2.7 - - [29/Nov/2026:08:00:%02d +0000] \"GET /a HTTP/1.1\" 200 206 \"-\" \"agent/1\" 17959392%02d.5 0.020\n", i, i)
	}
	format := `$remote_addr - - [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $msec $request_time`
	for _, tc := range []struct{ format, durations, note string }{
		{"", "", "1795939200.5 after the format combined has no name, so it is not read"},
		{format, "$request_time, in seconds", ""},
		{"combined", "", "its lines are in the format combined"},
	} {
		l, fit, err := read(accesslog.Options{Format: tc.format}, b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if fit.Durations != tc.durations || tc.durations != "" && math.Abs(fit.AtOnce-0.02) > 1e-3 ||
			fit.AnswerBytes != 206 {
			t.Errorf("%s: durations %q, %v at once, answers of %v", tc.format, fit.Durations, fit.AtOnce,
				fit.AnswerBytes)
		}
		if notes := strings.Join(l.Notes, "\n"); !strings.Contains(notes, tc.note) {
			t.Errorf("%s: notes are %s", tc.format, notes)
		}
	}
	for _, tc := range []struct{ format, want, hint string }{
		{"$remote_addr $request", "it has no time of the request: $time_local", "--set log.format='$remote_addr"},
		{"nonsense", "it has no time", "--set log.format='$remote_addr"},
		{"%h %{%Y}t \"%r\"", "the time %{%Y}t has a notation of its own", "LogFormat"},
		{"$time_local $status", "it has no request: $request, or", "LogFormat"},
		{strings.Replace(format, " $msec", "|$msec", 1), `line 1 is "192.0.2.7 - - [29/Nov/2026:08:00:00`,
			"compare the format"},
		{strings.Replace(format, " $msec", "|$msec", 1),
			`at column 82 the format has "\"|", and it goes on with "\" 1795939200.5 0.020"`, ""},
		{strings.TrimSuffix(format, " $request_time"),
			`after all of the format, at column 96, it goes on with " 0.020"`, ""},
		{"envoy", "no line is in the format of --set log.format", ""},
	} {
		_, _, err := read(accesslog.Options{Format: tc.format}, b.Bytes())
		var e *fail.Error
		if !errors.As(err, &e) || e.Kind != fail.BadInput || !strings.Contains(err.Error(), tc.want) ||
			!strings.Contains(fail.HintOf(err), tc.hint) {
			t.Errorf("%s: %v; hint: %s", tc.format, err, fail.HintOf(err))
		}
	}
}

// A line that fits a known format but for the kind of a column is in no known format.
func TestOtherFormatsAreRefused(t *testing.T) {
	for _, line := range []string{
		`192.0.2.7 - - [29/Nov/2026:08:00:00 +0000] "GET /a HTTP/1.1" 200 0.020 206`,
		`[29/Nov/2026:08:00:00 +0000] "GET /a HTTP/1.1" 200 0.020 206`,
		`[2026-11-29T08:00:00.000Z] "GET /a HTTP/1.1" 200 0 1234 25`,
		`192.0.2.7 [29/Nov/2026:08:00:00 +0000] GET /a 200 206 25`,
	} {
		_, _, err := read(accesslog.Options{}, []byte(line+"\n"))
		if err == nil || !strings.Contains(err.Error(),
			"tried: traefik, combined, common, envoy, istio, gin, chi, haproxy, JSON and key=value") {
			t.Errorf("%s: %v", line, err)
		}
	}
}
