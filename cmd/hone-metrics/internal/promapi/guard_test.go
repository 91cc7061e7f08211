package promapi

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/storage"
)

// Fault 29: pages of strangers get 403, and nothing is read for them.
func TestOnlyTheUserIsAnswered(t *testing.T) {
	opened := 0
	c := Config{
		Open: func(context.Context) (storage.Queryable, func() error, error) {
			opened++
			return storage.QueryableFunc(func(int64, int64) (storage.Querier,
				error) {
				return storage.NoopQuerier(), nil
			}), nil, nil
		},
		Engine: engine(t),
		Hosts:  []string{"host.docker.internal", ""},
	}
	h := New(c)
	for _, row := range []struct {
		status  int
		headers []string
	}{
		{200, nil},
		{200, []string{"Host", "127.0.0.1"}},
		{200, []string{"Host", "127.8.9.1:1"}},
		{200, []string{"Host", "[::1]:9090"}},
		{200, []string{"Host", "LocalHost"}},
		{200, []string{"Host", "host.docker.internal:9090"}},
		{200, []string{"Host", "Host.Docker.Internal"}},
		{200, []string{"Sec-Fetch-Site", "none"}},
		{200, []string{"Sec-Fetch-Site", "same-origin", "Origin", "http://localhost:9090"}},
		{403, []string{"Host", ""}},
		{403, []string{"Host", "evil.example"}},
		{403, []string{"Host", "127.0.0.1.evil.example:9090"}},
		{403, []string{"Host", "localhost.evil.example"}},
		{403, []string{"Host", "evil.localhost"}},
		{403, []string{"Host", "10.1.2.3"}},
		{403, []string{"Host", "0.0.0.0"}},
		{403, []string{"Origin", "http://evil.example"}},
		{403, []string{"Origin", "null"}},
		{403, []string{"Origin", "https://localhost:9090"}},
		{403, []string{"Origin", "http://localhost:3000"}},
		{403, []string{"Origin", "http://localhost:9090", "Origin", "http://evil.example"}},
		{403, []string{"Sec-Fetch-Site", "cross-site"}},
		{403, []string{"Sec-Fetch-Site", "same-site"}},
		{403, []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Site", "cross-site"}},
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodOptions} {
			opened = 0
			w := ask(h, method, query, pairs("query", "up"), row.headers...)
			want := row.status
			if method == http.MethodOptions && want == 200 {
				want = 204
			}
			if w.Code != want || opened > 0 != (want == 200) {
				t.Errorf("%s with %q: %d, want %d; the store was opened %d times", method, row.headers, w.Code, want,
					opened)
			}
			for name := range w.Header() {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("%s with %q: header %s", method, row.headers, name)
				}
			}
		}
	}
}

// The address that a connection arrived at is this server's, on every interface.
func TestHostOfTheListeningAddress(t *testing.T) {
	for _, row := range []struct {
		arrived, host string
		ours          bool
	}{
		{"10.1.2.3", "10.1.2.3", true},
		{"10.1.2.3", "10.1.2.3:9090", true},
		{"::ffff:10.1.2.3", "10.1.2.3", true},
		{"10.1.2.3", "10.1.2.4", false},
		{"10.1.2.3", "devbox", false},
		{"fd00::1", "[fd00::1]:80", true},
		{"fd00::1", "[fd00::2]:80", false},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = row.host
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey,
			&net.TCPAddr{IP: net.ParseIP(row.arrived)}))
		if got := checkOrigin(r, nil) == nil; got != row.ours {
			t.Errorf("%s at %s: %v", row.host, row.arrived, got)
		}
	}
}

// A bug in an answer is one answer.
func TestPanicIsOneAnswer(t *testing.T) {
	h := New(Config{Engine: engine(t), Metadata: func(string) []Metadata { panic("of metadata") }})
	w := ask(h, http.MethodGet, "/api/v1/metadata", nil)
	if w.Code != 500 ||
		w.Body.String() != `{"status":"error","errorType":"internal","error":"this answer broke: of metadata"}` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	aborts := guarded(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), nil)
	defer func() {
		if recover() != http.ErrAbortHandler {
			t.Error("net/http does not learn that the answer is to be broken off")
		}
	}()
	ask(aborts, http.MethodGet, "/", nil)
}
