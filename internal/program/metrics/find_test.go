package metrics

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Of all ports the one that serves metrics is found, and no other is taken for it.
func TestFindAsksThePorts(t *testing.T) {
	serve := func(kind, body string, status int) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/metrics" {
				w.WriteHeader(404)
				return
			}
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			io.WriteString(w, body)
		}))
		t.Cleanup(s.Close)
		return s.Listener.Addr().String()
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and sends nothing
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	others := []string{
		serve("text/html; charset=utf-8", "<html>", 200), serve("text/plain", "hello", 200),
		serve("text/plain; version=0.0.4", "", 500), serve("application/json", "{}", 200),
		silent.Addr().String(), gone.Addr().String(),
	}
	if page := Find(context.Background(), others); page != nil {
		t.Errorf("took %v for metrics", page)
	}
	for _, kind := range []string{"text/plain; version=0.0.4; charset=utf-8",
		"application/openmetrics-text; version=1.0.0"} {
		right := serve(kind, "up 1\n", 200)
		page := Find(context.Background(), append(others[:len(others):len(others)], right))
		if page == nil || page.String() != "http://"+right+"/metrics" {
			t.Errorf("found %v, want %s", page, right)
		}
	}
}
