package requests_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/requests"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	name = "testdata/" + name
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || got != string(want) {
		t.Errorf("%s: %v; got\n%s\nwant\n%s", name, err, got, want)
	}
}

// whole is all that a list holds.
func whole(l *requests.List, name, what string) string {
	var b strings.Builder
	for _, r := range l.Requests {
		fmt.Fprintf(&b, "%dx %s %s %q %q\n", r.Weight, r.Method, r.Path, r.Headers, r.Body)
	}
	fmt.Fprintln(&b, "order", l.Order, "moments", l.Moments)
	return b.String() + strings.Join(l.Summary(name, what), "\n") + "\n"
}

func open(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestHARFiles(t *testing.T) {
	text := open(t, "testdata/shop.har")
	l, err := requests.ReadHAR("shop.har", bytes.NewReader(text), requests.HAROptions{})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "shop.golden", whole(l, "shop.har", "entries"))
	l, err = requests.ReadHAR("shop.har", bytes.NewReader(text), requests.HAROptions{Methods: []string{"GET", "POST"}})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "shop_post.golden", whole(l, "shop.har", "entries"))
	if got := whole(l, "", ""); strings.Contains(got, "Bearer") || strings.Contains(got, "=secret") {
		t.Errorf("a secret is in\n%s", got)
	}
}

func TestBadFilesSayWhere(t *testing.T) {
	har := func(text string) error {
		_, err := requests.ReadHAR("a.har", strings.NewReader(text), requests.HAROptions{})
		return err
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{har(``), "a.har: byte 1: "},
		{har(`[]`), `a.har: byte 2: there is no object with the key "log"`},
		{har(`{"a": 1}`), `the key "log" is missing`},
		{har(`{"log": {"entries": {}}}`), "log.entries is not a list"},
		{har(`{"log": {"entries": [}`), "a.har: byte 22: invalid character"},
		{har(`{"log": {"entries": []}}`), "a.har has no entries"},
		{har(`{"log": {"entries": [{"request": {"method": "PUT", "url": "http://h/"}}]}}`),
			"none of its 1 entries is taken: 1 of the method PUT"},
	} {
		var e *fail.Error
		if !errors.As(c.err, &e) || e.Kind != fail.BadInput || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v, want %q", c.err, c.want)
		}
	}
}

// Whatever is read is a list whose parts fit together.
func check(t *testing.T, l *requests.List, err error) {
	t.Helper()
	if err != nil {
		var e *fail.Error
		if !errors.As(err, &e) || e.Kind != fail.BadInput {
			t.Errorf("%v is not an input error", err)
		}
		return
	}
	if len(l.Order) != l.Taken() || l.Moments != nil && len(l.Moments) != len(l.Order) || len(l.Requests) == 0 {
		t.Fatalf("%d turns, %d moments, %d taken, %d requests", len(l.Order), len(l.Moments), l.Taken(),
			len(l.Requests))
	}
	for i, at := range l.Moments {
		if i > 0 && at < l.Moments[i-1] {
			t.Fatalf("moment %d lies before the one ahead of it", i)
		}
	}
	for _, turn := range l.Order {
		if int(turn) >= len(l.Requests) {
			t.Fatalf("turn of request %d of %d", turn, len(l.Requests))
		}
	}
	for _, r := range l.Requests {
		if !strings.HasPrefix(r.Path, "/") || strings.ContainsAny(r.Path, " \r\n{}") {
			t.Errorf("path %q", r.Path)
		}
	}
}

func FuzzHAR(f *testing.F) {
	if text, err := os.ReadFile("testdata/shop.har"); err == nil {
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := requests.ReadHAR("a.har", strings.NewReader(text),
			requests.HAROptions{Methods: []string{"GET", "POST"}})
		check(t, l, err)
	})
}

// A mix has the proportions of the file, and keeps what followed each other together.
func TestAMixIsMadeOfStretches(t *testing.T) {
	c := requests.NewCollector(true)
	const entries = 20_000
	for i := range entries {
		path := fmt.Sprintf("/%d/%d", i/100, i%100)
		c.Take(wire.Request{Method: "GET", Path: path}, time.Unix(int64(i), 0))
	}
	l := c.Finish(false)
	moved := 0
	for i, n := range l.Order {
		var stretch, place int
		if _, err := fmt.Sscanf(l.Requests[n].Path, "/%d/%d", &stretch, &place); err != nil || place != i%100 {
			t.Fatalf("turn %d is %s, %v", i, l.Requests[n].Path, err)
		}
		if stretch != i/100 {
			moved++
		}
	}
	if len(l.Order) != entries || moved < entries*9/10 || l.Moments != nil {
		t.Errorf("%d turns, %d moved, %d moments", len(l.Order), moved, len(l.Moments))
	}
}

// A file with more different requests than are kept loses stretches of it, and none of its proportions.
func TestAMixOfALargeFileIsASample(t *testing.T) {
	c := requests.NewCollector(true)
	const entries = 600_000
	for i := range entries {
		r := wire.Request{Method: "GET", Path: fmt.Sprintf("/once/%d", i)}
		if i%3 == 0 {
			r.Path = "/often"
		}
		c.Take(r, time.Unix(int64(i), 0))
	}
	l := c.Finish(false)
	if n := len(l.Requests); n > 100_000 || n < 25_000 {
		t.Fatalf("%d different requests", n)
	}
	share := float64(l.Requests[0].Weight) / float64(len(l.Order))
	if l.Requests[0].Path != "/often" || share < 0.333 || share > 0.334 {
		t.Errorf("the first is %s, with a share of %v", l.Requests[0].Path, share)
	}
	if l.Found != entries || l.Taken() != len(l.Order) || len(l.LeftOut) != 1 {
		t.Errorf("found %d, taken %d, in order %d, left out %v", l.Found, l.Taken(), len(l.Order), l.LeftOut)
	}
}
