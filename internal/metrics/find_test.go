package metrics

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/fail"
)

var t0 = time.Unix(1_700_000_000, 0)

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
	for _, kind := range []string{"text/plain; version=0.0.4; charset=utf-8", "application/openmetrics-text; version=1.0.0"} {
		right := serve(kind, "up 1\n", 200)
		page := Find(context.Background(), append(others[:len(others):len(others)], right))
		if page == nil || page.String() != "http://"+right+"/metrics" {
			t.Errorf("found %v, want %s", page, right)
		}
	}
}

func TestQueriesThatCannotBe(t *testing.T) {
	v, err := In(t.TempDir()).Open()
	if err != nil {
		t.Fatal(err)
	}
	ctx, e := context.Background(), NewEngine(Usual)
	for expr, want := range map[string]string{
		"rate(a)":         "1:6", // where, and what
		"a b":             "1:3",
		"nosuch(a)":       "nosuch",
		"rate(a[5m:":      "1:",
		`{__name__=~"["}`: "regexp",
	} {
		if _, err := At(ctx, e, v, expr, t0); fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", expr, err, want)
		}
	}
	if _, err := Over(ctx, e, v, "a", t0, t0.Add(time.Hour), time.Millisecond); fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(err.Error(), "11000") {
		t.Errorf("too many steps: %v", err)
	}
	if _, err := Over(ctx, e, v, "a", t0, t0.Add(time.Hour), 0); fail.ExitCode(err) != int(fail.BadInput) {
		t.Errorf("no step: %v", err)
	}
	a, err := Over(ctx, e, v, "vector(2) + 1", t0, t0.Add(2*time.Second), time.Second)
	if err != nil || len(a.Series) != 1 || len(a.Series[0].Points) != 3 || a.Series[0].Points[2].Value != 3 {
		t.Errorf("answer %+v, %v", a, err)
	}
}
