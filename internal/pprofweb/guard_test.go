package pprofweb

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Fault 29 of the pages of profiles: who is not the user's own page gets 403.
func TestOnlyTheUsersBrowserIsAnswered(t *testing.T) {
	atHome(t)
	url := serve(t, Profile{Capture: capture("work.go", 300, 100)})
	host := strings.TrimPrefix(url, "http://")
	_, port, err := net.SplitHostPort(host)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		status  int
		headers []string
	}{
		{200, nil},
		{200, []string{"Host", "localhost:" + port}},
		{200, []string{"Host", "localhost:9000"}}, // a forwarded port
		{200, []string{"Host", "[::1]:" + port}},
		{200, []string{"Sec-Fetch-Site", "none"}},
		{200, []string{"Sec-Fetch-Site", "same-origin", "Origin", url}},
		{403, []string{"Host", "evil.example"}},
		{403, []string{"Host", "evil.example:" + port}},
		{403, []string{"Host", "127.0.0.1.evil.example:" + port}},
		{403, []string{"Host", "localhost.evil.example"}},
		{403, []string{"Host", "10.1.2.3:" + port}},
		{403, []string{"Host", "0.0.0.0:" + port}},
		{403, []string{"Origin", "http://evil.example"}},
		{403, []string{"Origin", "null"}},
		{403, []string{"Origin", "http://localhost:1"}},
		{403, []string{"Origin", "https://" + host}},
		{403, []string{"Origin", url, "Origin", "http://evil.example"}},
		{403, []string{"Sec-Fetch-Site", "cross-site"}},
		{403, []string{"Sec-Fetch-Site", "same-site"}},
		{403, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}},
		{403, []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Site", "cross-site"}},
	} {
		for _, page := range []string{"/", "/cpu/top", "/cpu/download", "/none"} {
			want := c.status
			if page == "/none" && want == 200 {
				want = 404
			}
			answer, body := get(t, url+page, c.headers...)
			if answer.StatusCode != want {
				t.Errorf("%s with %q: %s, want %d", page, c.headers, answer.Status, want)
			}
			if want == 403 && strings.Contains(body, "main.work") {
				t.Errorf("%s with %q shows the profile", page, c.headers)
			}
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH"} {
		if answer, _ := ask(t, method, url+"/cpu/top"); answer.StatusCode != 405 || answer.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %s", method, answer.Status)
		}
		if answer, _ := ask(t, method, url+"/cpu/top", "Origin", "http://evil.example"); answer.StatusCode != 403 {
			t.Errorf("%s of another site: %s", method, answer.Status)
		}
	}
	answer, _ := get(t, url+"/cpu/top")
	for name, want := range map[string]string{
		"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff",
		"Cross-Origin-Resource-Policy": "same-origin", "Access-Control-Allow-Origin": "",
	} {
		if got := answer.Header.Get(name); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A page that panics is one page.
func TestPanic(t *testing.T) {
	breaks := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("of a page") })
	w := httptest.NewRecorder()
	guarded(breaks, func(string) bool { return true }).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if w.Code != 500 || !strings.Contains(w.Body.String(), "of a page") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
