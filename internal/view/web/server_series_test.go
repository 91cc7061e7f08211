package web

import (
	"context"
	"io/fs"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/page"
)

// keptSeries has no series, and one page of a comparison.
var keptSeries = Series{
	Page: func(context.Context) (*page.Series, error) {
		return &page.Series{Schema: page.SeriesSchema, Store: "kept"}, nil
	},
	Report: func(_ context.Context, name string) ([]byte, error) {
		if name != "kept.html" {
			return nil, fs.ErrNotExist
		}
		return []byte("<!doctype html><script>fetch('/api/v1/history')</script>"), nil
	},
}

// Pages that lie beside a series are anybody's: they are sent with a policy of their own (ask looks at it), and never as a
// part of hone's pages.
func TestSeries(t *testing.T) {
	dir, _ := ledgerWithRun(t)
	s := serving(t, dir)
	s.enter(t)
	for _, c := range []struct {
		address string
		status  int
		has     string
	}{
		{"/api/v1/series", 200, `"store":"kept"`},
		{"/reports/kept.html", 200, "<script>"},
		{"/reports/gone.html", 404, "has no page"},
		{"/reports/", 404, "no such page"},
		{"/reports/a/b", 404, "no such page"},
		{"/reports/%3Cscript%3E", 404, "&lt;script&gt;"},
	} {
		answer, body := s.ask(t, "GET", c.address)
		if answer.StatusCode != c.status || !strings.Contains(body, c.has) {
			t.Errorf("%s: %s: %.200s", c.address, answer.Status, body)
		}
	}
	s.Series.Page = func(context.Context) (*page.Series, error) {
		return nil, fail.New(fail.BadInput, "the branch needs a git repository").WithHint("name a directory")
	}
	answer, body := s.ask(t, "GET", "/api/v1/series")
	if answer.StatusCode != 400 || !strings.Contains(body, "name a directory") {
		t.Errorf("%s: %s", answer.Status, body)
	}
}
