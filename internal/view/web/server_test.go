package web

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/stored"
)

// ledgerWithRun is a ledger with one run, which has one artefact.
func ledgerWithRun(t *testing.T) (dir string, artefact ledger.Artefact) {
	t.Helper()
	dir = t.TempDir()
	l, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return dir, addRun(t, l)
}

func addRun(t *testing.T, l *ledger.Ledger) ledger.Artefact {
	t.Helper()
	d, err := l.BeginRun(ledger.Run{Label: "./server", Package: "example.com/server", Plan: "plan", Machine: "machine"})
	if err != nil {
		t.Fatal(err)
	}
	a, err := d.AddArtefact("output", "../<b>out put.html", strings.NewReader("<script>alert(1)</script>"))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Finish(ledger.Complete, "", nil); err != nil {
		t.Fatal(err)
	}
	return a
}

// served is a server on a real port.
type served struct {
	*Server
	url    string
	cookie string // as in a header; empty before enter
	end    func() error
}

// serving starts a server over the ledger in dir, which ends with the test or with end.
func serving(t *testing.T, dir string) *served {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &served{
		Server: NewServer(Config{Ledger: dir, Library: func(l *ledger.Ledger) *page.Library {
			return &page.Library{Stored: &stored.Library{Ledger: l}}
		}, Series: keptSeries}),
		url: "http://" + ln.Addr().String(),
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, ln) }()
	over := false
	s.end = func() error {
		if over {
			return nil
		}
		over = true
		cancel()
		return <-ended
	}
	t.Cleanup(func() {
		if err := s.end(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// enter shows the token, and keeps the cookie.
func (s *served) enter(t *testing.T) {
	t.Helper()
	answer, _ := s.ask(t, "GET", strings.TrimPrefix(s.Address("x"), "http://x"))
	if answer.StatusCode != http.StatusSeeOther || len(answer.Cookies()) != 1 {
		t.Fatalf("with the token: %s, %d cookies", answer.Status, len(answer.Cookies()))
	}
	c := answer.Cookies()[0]
	s.cookie = c.Name + "=" + c.Value
}

// ask follows no redirects. Headers are pairs; the one called Host is the request's. The address is sent as it is.
func (s *served) ask(t *testing.T, method, address string, headers ...string) (*http.Response, string) {
	t.Helper()
	u, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	path, query, _ := strings.Cut(address, "?")
	u.Opaque, u.RawQuery = path, query
	request := (&http.Request{Method: method, URL: u, Host: u.Host, Header: http.Header{}}).WithContext(t.Context())
	if s.cookie != "" {
		request.Header.Set("Cookie", s.cookie)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			request.Host = headers[i+1]
		} else {
			request.Header.Add(headers[i], headers[i+1])
		}
	}
	transport := &http.Transport{DisableKeepAlives: true, DisableCompression: true}
	answer, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatalf("%s %s: %v", method, address, err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, address, err)
	}
	if method != http.MethodHead && strings.Contains(string(body), s.door.session) {
		t.Errorf("%s %s tells the cookie's value", method, address)
	}
	want := policy
	if strings.HasPrefix(address, "/reports/") && answer.StatusCode == http.StatusOK {
		want = reportPolicy
	}
	if p := answer.Header.Get("Content-Security-Policy"); p != want {
		t.Errorf("%s %s %q: policy %q", method, address, headers, p)
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Cross-Origin-Opener-Policy":   "same-origin", "Access-Control-Allow-Origin": "",
	} {
		if got := answer.Header.Get(name); got != want {
			t.Errorf("%s %s: %s is %q", method, address, name, got)
		}
	}
	return answer, string(body)
}

// Fault 29 of the web UI: without the token, or the cookie that takes its place, there is nothing.
func TestTheTokenLetsBrowsersIn(t *testing.T) {
	dir, _ := ledgerWithRun(t)
	s := serving(t, dir)
	token := "?token=" + s.door.token
	pages := []string{"/", "/hone.js", "/hone.css", "/api/v1/history", "/api/v1/live", "/api/v1/artefacts/0", "/none",
		"/api/v1/series", "/reports/kept.html",
		"/api/none"}
	closed := func(when string) {
		t.Helper()
		for _, path := range append(pages, "/?token=", "/?token=wrong", "/api/v1/history?token=wrong") {
			answer, body := s.ask(t, "GET", path)
			if answer.StatusCode != 403 || len(answer.Cookies()) > 0 {
				t.Errorf("%s: %s: %s", when, path, answer.Status)
			}
			if !strings.Contains(body, "hone serve") {
				t.Errorf("%s: %s does not say what to do: %s", when, path, body)
			}
			if strings.HasPrefix(path, "/api/") != json.Valid([]byte(body)) {
				t.Errorf("%s: %s: %s", when, path, body)
			}
		}
		if answer, _ := s.ask(t, "GET", "/", "Cookie", cookieOf(s)+"=wrong"); answer.StatusCode != 403 {
			t.Errorf("%s: wrong cookie: %s", when, answer.Status)
		}
		if answer, _ := s.ask(t, "GET", "/", "Cookie", cookieOf(s)+"="); answer.StatusCode != 403 {
			t.Errorf("%s: empty cookie: %s", when, answer.Status)
		}
	}
	closed("before")
	// The token does not help another method, nor a page of another site.
	for _, c := range [][]string{{"HEAD"}, {"POST"}, {"GET", "Origin", "http://evil.example"},
		{"GET", "Sec-Fetch-Site", "cross-site"}, {"GET", "Host", "evil.example"}} {
		if answer, _ := s.ask(t, c[0], "/"+token, c[1:]...); answer.StatusCode/100 != 4 {
			t.Errorf("%q: %s", c, answer.Status)
		}
	}
	answer, _ := s.ask(t, "GET", "/\\evil.example/a"+token+"&x=1")
	if to := answer.Header.Get("Location"); answer.StatusCode != 303 || to != "/%5Cevil.example/a?x=1" {
		t.Fatalf("with the token: %s to %q", answer.Status, to)
	}
	c := answer.Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" ||
		c.Name != cookieOf(s) || "?token="+c.Value == token {
		t.Errorf("cookie %+v", c)
	}
	closed("after")
	if answer, _ := s.ask(t, "GET", "/"+token); answer.StatusCode != 303 || len(answer.Cookies()) != 1 {
		t.Errorf("the token in another browser, or a second time: %s", answer.Status)
	}
	s.cookie = c.Name + "=" + c.Value
	if answer, body := s.ask(t, "GET", "/"); answer.StatusCode != 200 ||
		!strings.Contains(body, `<script src="/hone.js" defer>`) {
		t.Errorf("with the cookie: %s %s", answer.Status, body)
	}
	if answer, _ := s.ask(t, "GET", "/"+token); answer.StatusCode != 303 || answer.Header.Get("Location") != "/" ||
		len(answer.Cookies()) > 0 {
		t.Errorf("the printed address again, with the cookie: %s", answer.Status)
	}
}

func cookieOf(s *served) string {
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(s.url, "http://"))
	return "hone_" + port
}

// Connections that ask for nothing keep out no one, and close none of those that the server has let in.
func TestIdleConnectionsLockOutNoOwner(t *testing.T) {
	dir, _ := ledgerWithRun(t)
	pages := serving(t, dir)
	address := strings.TrimPrefix(pages.url, "http://")
	crowd(t, address, 300)
	pages.enter(t)
	owner := crowd(t, address, 1)[0]
	for range 2 {
		if _, err := fmt.Fprintf(owner, "GET / HTTP/1.1\r\nHost: localhost\r\nCookie: %s\r\n\r\n",
			pages.cookie); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(bufio.NewReader(owner), nil)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%v, %v", answer, err)
		}
		_ = answer.Body.Close()
		for _, last := range crowd(t, address, 100)[99:] { // answered after all before it were accepted
			_, _ = fmt.Fprint(last, "GET /no-such-page HTTP/1.1\r\nHost: localhost\r\n\r\n")
			if _, err := last.Read(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// crowd opens connections, which end with the test.
func crowd(t *testing.T, address string, n int) (all []net.Conn) {
	t.Helper()
	for range n {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		all = append(all, c)
	}
	return all
}

// Fault 29: who has the cookie and is not the user's own page gets 403.
func TestOnlyTheUsersBrowserIsAnswered(t *testing.T) {
	dir, _ := ledgerWithRun(t)
	s := serving(t, dir)
	s.enter(t)
	host := strings.TrimPrefix(s.url, "http://")
	_, port, _ := net.SplitHostPort(host)
	for _, c := range []struct {
		ours    bool
		headers []string
	}{
		{true, nil},
		{true, []string{"Host", "localhost:" + port}},
		{true, []string{"Host", "localhost:9000"}}, // a forwarded port
		{true, []string{"Host", "[::1]:" + port}},
		{true, []string{"Sec-Fetch-Site", "none"}},
		{true, []string{"Sec-Fetch-Site", "same-origin", "Origin", s.url}},
		{false, []string{"Host", "evil.example"}},
		{false, []string{"Host", "127.0.0.1.evil.example:" + port}},
		{false, []string{"Host", "localhost.evil.example"}},
		{false, []string{"Host", "10.1.2.3:" + port}},
		{false, []string{"Host", "0.0.0.0:" + port}},
		{false, []string{"Origin", "http://evil.example"}},
		{false, []string{"Origin", "null"}},
		{false, []string{"Origin", "https://" + host}},
		{false, []string{"Origin", s.url, "Origin", "http://evil.example"}},
		{false, []string{"Sec-Fetch-Site", "cross-site"}},
		{false, []string{"Sec-Fetch-Site", "same-site"}},
		{false, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}},
		{false, []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Site", "cross-site"}},
	} {
		for path, status := range map[string]int{"/": 200, "/hone.js": 200, "/api/v1/history": 200,
			"/api/v1/runs/0": 404, "/none": 404} {
			if !c.ours {
				status = 403
			}
			if answer, body := s.ask(t, "GET", path, c.headers...); answer.StatusCode != status {
				t.Errorf("%s with %q: %s, want %d: %.300s", path, c.headers, answer.Status, status, body)
			}
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH"} {
		for _, path := range []string{"/", "/api/v1/history", "/api/v1/live"} {
			if answer, _ := s.ask(t, method, path); answer.StatusCode != 405 ||
				answer.Header.Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: %s", method, path, answer.Status)
			}
			if answer, _ := s.ask(t, method, path, "Origin", "http://evil.example"); answer.StatusCode != 403 {
				t.Errorf("%s %s of another site: %s", method, path, answer.Status)
			}
		}
	}
	for _, path := range []string{"/", "/hone.css", "/api/v1/history", "/api/v1/live"} {
		if answer, body := s.ask(t, "HEAD", path); answer.StatusCode != 200 || body != "" {
			t.Errorf("HEAD %s: %s %q", path, answer.Status, body)
		}
	}
}

// Artefacts are those of the ledger, by their hash, and files to keep only.
func TestArtefactsAreFoundByHashOnly(t *testing.T) {
	dir, a := ledgerWithRun(t)
	s := serving(t, dir)
	s.enter(t)
	answer, body := s.ask(t, "GET", "/api/v1/artefacts/"+a.SHA256)
	if answer.StatusCode != 200 || body != "<script>alert(1)</script>" ||
		answer.Header.Get("Content-Type") != "application/octet-stream" ||
		answer.Header.Get("Content-Disposition") != `attachment; filename="_b_out_put.html"` {
		t.Errorf("%s %q %v", answer.Status, body, answer.Header)
	}
	other := strings.Repeat("0", 64)
	for _, name := range []string{
		other, a.SHA256[:63], strings.ToUpper(a.SHA256), "%2e%2e%2f%2e%2e%2fhone.db", "..%2fhone.db", "%2fetc%2fpasswd",
		a.SHA256 + "%00", a.SHA256 + "%2f..",
		"' OR 1=1 --", "%27%20OR%201=1%20--",
	} {
		if strings.Contains(name, " ") {
			name = url.PathEscape(name)
		}
		if answer, body := s.ask(t, "GET", "/api/v1/artefacts/"+name); answer.StatusCode != 404 ||
			!json.Valid([]byte(body)) {
			t.Errorf("%s: %s %.100s", name, answer.Status, body)
		}
	}
	for _, path := range []string{"/api/v1/artefacts/../../hone.db", "/../hone.db", "//etc/passwd",
		"/hone.js/../../x"} {
		if answer, _ := s.ask(t, "GET", path); answer.StatusCode == 200 {
			t.Errorf("%s: %s", path, answer.Status)
		}
	}
}

// New runs are seen at the next request, also while a writer has the ledger open.
func TestNewRunsAreSeenAtTheNextRequest(t *testing.T) {
	dir, _ := ledgerWithRun(t)
	s := serving(t, dir)
	s.enter(t)
	l, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for want := 1; want < 4; want++ {
		answer, body := s.ask(t, "GET", "/api/v1/history")
		var h page.History
		if err := json.Unmarshal([]byte(body), &h); err != nil || answer.StatusCode != 200 || h.Runs != want {
			t.Errorf("%s, %d runs, want %d: %v", answer.Status, h.Runs, want, err)
		}
		addRun(t, l)
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	dir, _ := ledgerWithRun(t)
	s := serving(t, dir)
	s.enter(t)
	for address, want := range map[string]struct {
		status int
		text   string
	}{
		"runs/ffff":                         {404, "ffff"},
		"runs/ffff/profiles/cpu":            {404, "ffff"},
		"runs/ffff/source/cpu?file=main.go": {404, "ffff"},
		"history?status=great":              {400, "great"},
		"history?since=whenever":            {400, "whenever"},
		"history?number=-1":                 {400, "-1"},
		"history?measure=speed":             {400, "speed"},
		"history?package=none":              {400, "none"},
		"history?sort=asc":                  {400, "measure, package"},
		"history?label=a&label=b":           {400, "label"},
		"":                                  {404, "docs/api.md"},
		"runs":                              {404, "docs/api.md"},
	} {
		answer, body := s.ask(t, "GET", "/api/v1/"+address)
		var f failure
		if err := json.Unmarshal([]byte(body), &f); err != nil || answer.StatusCode != want.status || f.Error == "" ||
			!strings.Contains(body, want.text) {
			t.Errorf("%q: %s, want %d: %s", address, answer.Status, want.status, body)
		}
	}
}

func TestParametersOfTheHistory(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	q, err := historyQuery(url.Values{
		"measure": {"p99"}, "package": {"cmd/server"}, "label": {"a"}, "commit": {"c0"}, "target": {"t"},
		"status": {"complete,invalid", "partial"},
		"since":  {"2d"}, "until": {"1d"}, "number": {"7"},
	}, now)
	if err != nil || q.Measure != "p99" || q.Number != 7 || q.Filter.Package != "cmd/server" || q.Filter.Label != "a" ||
		q.Filter.Commit != "c0" ||
		q.Filter.Target != "t" || len(q.Filter.Status) != 3 || !q.Filter.Since.Equal(now.AddDate(0, 0, -2)) ||
		!q.Filter.Until.Equal(now.AddDate(0, 0, -1)) {
		t.Errorf("%+v, %v", q, err)
	}
	if q, err := historyQuery(nil, now); err != nil || q.Number != 50 || !q.Filter.IsZero() ||
		q.Measure != (history.Query{}).Measure {
		t.Errorf("without any: %+v, %v", q, err)
	}
}

// A browser that has the files asks whether they are still the same, and gets them packed if it takes that.
func TestAssets(t *testing.T) {
	dir, _ := ledgerWithRun(t)
	s := serving(t, dir)
	s.enter(t)
	for path, kind := range map[string]string{"/": "text/html", "/hone.js": "text/javascript",
		"/hone.css": "text/css"} {
		plain, text := s.ask(t, "GET", path)
		packed, bytesOf := s.ask(t, "GET", path, "Accept-Encoding", "br, gzip;q=0.5")
		z, err := gzip.NewReader(strings.NewReader(bytesOf))
		if err != nil {
			t.Fatal(path, err)
		}
		unpacked, err := io.ReadAll(z)
		if err != nil || !bytes.Equal(unpacked, []byte(text)) || packed.Header.Get("Content-Encoding") != "gzip" {
			t.Errorf("%s: packed is another text: %v", path, err)
		}
		if !strings.HasPrefix(plain.Header.Get("Content-Type"), kind) || plain.Header.Get("Content-Encoding") != "" ||
			plain.Header.Get("ETag") == packed.Header.Get("ETag") {
			t.Errorf("%s: %v", path, plain.Header)
		}
		if again, body := s.ask(t, "GET", path, "If-None-Match", plain.Header.Get("ETag")); again.StatusCode != 304 ||
			body != "" {
			t.Errorf("%s again: %s", path, again.Status)
		}
	}
	for accepts, want := range map[string]bool{"": false, "gzip": true, "gzip;q=0": false, "identity": false,
		"GZIP; q=1": true, "gzip;q=x": false} {
		if got := takesGzip(&http.Request{Header: http.Header{"Accept-Encoding": {accepts}}}); got != want {
			t.Errorf("%q: %v", accepts, got)
		}
	}
}
