package sameorigin

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/testkit/nettest"
)

func TestTokenFor(t *testing.T) {
	for address, asked := range map[string]bool{"127.0.0.1:1": false, "[::1]:1": false, "0.0.0.0:1": true,
		"[::]:1": true, "10.1.2.3:1": true} {
		token := TokenFor(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address)))
		if (token != "") != asked || asked && len(token) < 26 { // 26 letters of base32 are 128 bits
			t.Errorf("%s: token %q", address, token)
		}
		if asked && token == TokenFor(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address))) {
			t.Error("two tokens are the same")
		}
	}
}

// Fault 29: without the token another machine gets 403, and nothing is done for it.
func TestOtherMachinesNeedTheToken(t *testing.T) {
	const token = Token("S3CRET")
	for _, row := range []struct {
		name, remote, method, target string
		headers                      map[string]string
		status                       int
	}{
		{"this machine", "127.0.0.1:9", "GET", "/", nil, 200},
		{"this machine, POST", "[::1]:9", "POST", "/", nil, 200},
		{"mapped", "[::ffff:127.0.0.1]:9", "GET", "/", nil, 200},
		{"another", "10.1.2.3:9", "GET", "/", nil, 403},
		{"another, POST", "10.1.2.3:9", "POST", "/", nil, 403},
		{"no address", "", "GET", "/", nil, 403},
		{"pretends", "10.1.2.3:9", "GET", "/", map[string]string{"X-Forwarded-For": "127.0.0.1", "Host": "localhost"},
			403},
		{"bearer", "10.1.2.3:9", "POST", "/", map[string]string{"Authorization": "Bearer S3CRET"}, 200},
		{"bearer in small letters", "10.1.2.3:9", "GET", "/", map[string]string{"Authorization": "bearer S3CRET"}, 200},
		{"wrong bearer", "10.1.2.3:9", "GET", "/", map[string]string{"Authorization": "Bearer S3CREU"}, 403},
		{"a part", "10.1.2.3:9", "GET", "/", map[string]string{"Authorization": "Bearer S3CRE"}, 403},
		{"empty", "10.1.2.3:9", "GET", "/", map[string]string{"Authorization": "Bearer "}, 403},
		{"another scheme", "10.1.2.3:9", "GET", "/", map[string]string{"Authorization": "Basic S3CRET"}, 403},
		{"parameter", "10.1.2.3:9", "GET", "/?token=S3CRET", nil, 303},
		{"parameter of a POST", "10.1.2.3:9", "POST", "/?token=S3CRET", nil, 403},
		{"wrong parameter", "10.1.2.3:9", "GET", "/?token=s3cret", nil, 403},
		{"cookie", "10.1.2.3:9", "GET", "/", map[string]string{"Cookie": "token=S3CRET"}, 200},
		{"wrong cookie", "10.1.2.3:9", "GET", "/", map[string]string{"Cookie": "token=x"}, 403},
	} {
		served := 0
		h := token.Required(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { served++ }))
		r := httptest.NewRequest(row.method, row.target, nil)
		r.RemoteAddr = row.remote
		for name, value := range row.headers {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != row.status || (served == 1) != (row.status == 200) {
			t.Errorf("%s: %d, want %d; served %d times", row.name, w.Code, row.status, served)
		}
		if strings.Contains(w.Body.String(), string(token)) {
			t.Errorf("%s: the answer tells the token: %s", row.name, w.Body)
		}
	}
}

// The redirect that takes the token out of the address stays on this server.
func TestRedirectStaysHere(t *testing.T) {
	for target, want := range map[string]string{
		"/cpu/top?token=T&f=x":          "/cpu/top?f=x",
		"//evil.example/?token=T":       "/evil.example/",
		"/\\evil.example/?token=T":      "/%5Cevil.example/",
		"http://evil.example/a?token=T": "/a",
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		u, err := url.ParseRequestURI(target)
		if err != nil {
			t.Fatal(err)
		}
		r.URL, r.RemoteAddr = u, "10.1.2.3:9"
		w := httptest.NewRecorder()
		Token("T").Required(http.NotFoundHandler()).ServeHTTP(w, r)
		if got := w.Header().Get("Location"); w.Code != http.StatusSeeOther || got != want {
			t.Errorf("%s: %d to %q, want %q", target, w.Code, got, want)
		}
	}
}

// A browser opens the address with the token once; a cookie that pages of other sites cannot
// use does the rest. With real connections that do not come from a loopback address.
func TestBrowserOfAnotherMachine(t *testing.T) {
	own := nettest.OtherAddress(t)
	l, err := net.Listen("tcp", net.JoinHostPort(own, "0"))
	if err != nil {
		t.Fatal(err)
	}
	token := TokenFor(l.Addr())
	server := &http.Server{ReadHeaderTimeout: time.Minute,
		Handler: token.Required(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "page "+r.URL.String())
		}))}
	go server.Serve(l) // ends with Close
	defer server.Close()
	address := "http://" + l.Addr().String() + "/top"
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	open := func(address string) (int, string) {
		request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := browser.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(body)
	}
	if status, _ := open(address); status != 403 {
		t.Errorf("without the token: %d", status)
	}
	if status, body := open(address + "?token=" + string(token)); status != 200 || body != "page /top" {
		t.Errorf("with the token: %d %q", status, body)
	}
	if status, body := open(address + "?f=x"); status != 200 || body != "page /top?f=x" {
		t.Errorf("with the cookie: %d %q", status, body)
	}
}
