package pageserver

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// A stream does not hold up the end, and a listener that fails is an error.
func TestServeEndsWithItsContext(t *testing.T) {
	var listen net.ListenConfig
	ln, err := listen.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	began, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- Serve(ctx, ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			Protect(w.Header(), "default-src 'none'")
			_ = http.NewResponseController(w).Flush()
			close(began)
			<-r.Context().Done()
		}), nil)
	}()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+ln.Addr().String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	<-began
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * grace):
		t.Error("it goes on")
	}
	if _, err := io.ReadAll(answer.Body); err != nil {
		t.Errorf("the stream broke off: %v", err)
	}
	if got := answer.Header.Get("Content-Security-Policy"); got != "default-src 'none'" {
		t.Errorf("policy %q", got)
	}
	if err := Serve(t.Context(), ln, http.NotFoundHandler(), nil); err == nil {
		t.Error("a closed listener was served")
	}
}
