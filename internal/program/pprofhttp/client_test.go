package pprofhttp

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/text/fail"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func serve(t *testing.T, handler http.Handler) *Client {
	t.Helper()
	s := httptest.NewServer(handler)
	c, err := New(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.client.CloseIdleConnections()
		s.Close()
	})
	c.client.Transport = &http.Transport{}
	return c
}

// The real pages, of this very process.
func TestProfile(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	c := serve(t, mux)
	for kind, sample := range map[string]string{"heap": "inuse_space", "allocs": "alloc_space",
		"goroutine": "goroutine", "cpu": "cpu", "mutex": "delay"} {
		p, err := c.Profile(t.Context(), kind, time.Second)
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		found := false
		for _, s := range p.SampleType {
			found = found || s.Type == sample
		}
		if !found {
			t.Errorf("%s: sample types %v", kind, p.SampleType)
		}
	}
}

// Fault 22: 404, another profiler, no profile, and silence.
func TestRefusals(t *testing.T) {
	release := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/profile", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "Could not enable CPU profiling: cpu profiling already in use", http.StatusInternalServerError)
	})
	mux.HandleFunc("/debug/pprof/allocs", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<html>a dashboard</html>"))
	})
	mux.HandleFunc("/debug/pprof/heap", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-release:
		}
	})
	c := serve(t, mux)
	t.Cleanup(func() { close(release) })
	c.patience = 50 * time.Millisecond
	for kind, want := range map[string]string{
		"cpu": "already in use", "allocs": "a page of HTML or XML", "heap": "does not answer in time", "mutex": "404",
	} {
		_, err := c.Profile(t.Context(), kind, time.Millisecond)
		var known *fail.Error
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &known) || known.Kind != fail.Subject {
			t.Errorf("%s: %v, want %q", kind, err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Profile(ctx, "heap", 0); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestNew(t *testing.T) {
	for address, base := range map[string]string{
		"http://host:6060":        "http://host:6060/debug/pprof",
		"http://host:6060/":       "http://host:6060/debug/pprof",
		"https://host/x/pprof/?a": "https://host/x/pprof",
	} {
		if c, err := New(address); err != nil || c.base != base {
			t.Errorf("%s: %+v, %v", address, c, err)
		}
	}
	for _, address := range []string{"", "host:6060", "ftp://host", "http://"} {
		if _, err := New(address); err == nil {
			t.Errorf("%q is accepted", address)
		}
	}
}

// A redirect is followed on the host that the user named, and nowhere else.
func TestRedirectsToOtherHosts(t *testing.T) {
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer other.Close()
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.Handle("/debug/pprof/heap", http.RedirectHandler("/debug/pprof/allocs", http.StatusFound))
	mux.Handle("/debug/pprof/mutex", http.RedirectHandler(other.URL, http.StatusFound))
	mux.Handle("/debug/pprof/block", http.RedirectHandler("/debug/pprof/block", http.StatusFound))
	c := serve(t, mux)
	if _, err := c.Profile(t.Context(), "heap", 0); err != nil {
		t.Errorf("on the same host: %v", err)
	}
	for kind, want := range map[string]string{"mutex": "redirects to another host", "block": "more than 5 times"} {
		if _, err := c.Profile(t.Context(), kind, 0); err == nil || reached || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; reached %v", kind, err, reached)
		}
	}
	for address, refused := range map[string]bool{"http://u:p@10.0.0.1:6060": true, "http://u:p@127.0.0.1:6060": false,
		"https://u:p@10.0.0.1": false, "http://10.0.0.1:6060": false} {
		if _, err := New(address); (err != nil) != refused || err != nil && strings.Contains(err.Error(), "u:p") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
