package requests_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/requests"
)

func TestEndpoints(t *testing.T) {
	for path, want := range map[string]string{
		"/":                       "/",
		"/items/7?full=1":         "/items/{}",
		"/v2/users/ann/orders/12": "/v2/users/ann/orders/{}",
		"/a/0190163d-8694-739b-aea5-966c26f8ad91/b": "/a/{}/b",
		"/files/report2026.pdf":                     "/files/{}",
		"/static/app.js":                            "/static/app.js",
	} {
		if got := requests.Endpoint(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}

// A summary shows endpoints with their shares: requests that differ in a query or in a number are one of them.
func TestSummaryShowsEndpoints(t *testing.T) {
	c := requests.NewCollector(false)
	take := func(method, path string, n int) {
		for range n {
			c.Take(wire.Request{Method: method, Path: path}, time.Time{})
		}
	}
	for i := range 30 {
		take("GET", fmt.Sprint("/search?q=", i), 1)
	}
	take("GET", "/items/7?full=1", 20)
	take("GET", "/items/8", 20)
	take("POST", "/items/8", 10)
	take("GET", "/about?x=1", 20)
	got := strings.Join(c.Finish(false).Summary("a.log", "lines"), "\n")
	want := strings.Join([]string{
		"a.log: 100 of 100 lines taken, 34 different",
		"   40.0 %  GET /items/{} (2 different)",
		"   30.0 %  GET /search (30 different)",
		"   20.0 %  GET /about?...",
		"   10.0 %  POST /items/8",
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
