package requests_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/text/fail"
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

func TestAccessLogs(t *testing.T) {
	text := open(t, "testdata/access.log")
	l, err := requests.ReadAccessLog("access.log", bytes.NewReader(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	plain := whole(l, "access.log", "lines")
	golden(t, "access.golden", plain)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	whole1 := bytes.Clone(packed.Bytes())
	if l, err = requests.ReadAccessLog("access.log", &packed, nil); err != nil || whole(l, "access.log", "lines") != plain {
		t.Errorf("packed: %v\n%s", err, whole(l, "access.log", "lines"))
	}
	if _, err := requests.ReadAccessLog("cut.gz", bytes.NewReader(whole1[:len(whole1)-20]), nil); err == nil || !strings.Contains(err.Error(), "cut.gz: line ") {
		t.Errorf("a packed log that breaks off: %v", err)
	}
}

func TestMomentsOfOneSecondAreSpread(t *testing.T) {
	var b strings.Builder
	for i := range 4 {
		fmt.Fprintf(&b, "h - - [31/Jan/2026:12:00:00 +0000] \"GET /%d HTTP/1.1\" 200 1\n", i)
	}
	l, err := requests.ReadAccessLog("a", strings.NewReader(b.String()), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(l.Moments); got != fmt.Sprint([]time.Duration{0, 250 * time.Millisecond, 500 * time.Millisecond, 750 * time.Millisecond}) {
		t.Errorf("moments are %s", got)
	}
}

// The mix keeps the proportions of a long file.
func TestTheMostUsedMakeAMix(t *testing.T) {
	var b strings.Builder
	for i := range 600 {
		fmt.Fprintf(&b, "h - - [31/Jan/2026:12:00:00 +0000] \"GET /rare/%d HTTP/1.1\" 200 1\n", i)
	}
	for i := range 30_000 {
		path := "/often"
		if i%3 == 0 {
			path = "/third"
		}
		fmt.Fprintf(&b, "h - - [31/Jan/2026:12:00:00 +0000] \"GET %s HTTP/1.1\" 200 1\n", path)
	}
	l, err := requests.ReadAccessLog("a", strings.NewReader(b.String()), nil)
	if err != nil {
		t.Fatal(err)
	}
	l.MostUsed()
	sum := 0
	for _, r := range l.Requests {
		sum += r.Weight
	}
	if len(l.Requests) != 500 || l.Requests[0].Path != "/often" || sum > 10_000 || l.Order != nil {
		t.Errorf("%d requests, first %s, weights add up to %d", len(l.Requests), l.Requests[0].Path, sum)
	}
	if ratio := float64(l.Requests[0].Weight) / float64(l.Requests[1].Weight); ratio < 1.99 || ratio > 2.01 {
		t.Errorf("ratio of the two is %v, want 2", ratio)
	}
	if l.Taken() != 30_498 || len(l.LeftOut) != 1 || l.LeftOut[0].Count != 102 {
		t.Errorf("taken %d, left out %+v", l.Taken(), l.LeftOut)
	}
}

func TestBadFilesSayWhere(t *testing.T) {
	har := func(text string) error {
		_, err := requests.ReadHAR("a.har", strings.NewReader(text), requests.HAROptions{})
		return err
	}
	log := func(text string) error {
		_, err := requests.ReadAccessLog("a.log", strings.NewReader(text), nil)
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
		{har(`{"log": {"entries": [{"request": {"method": "PUT", "url": "http://h/"}}]}}`), "none of its 1 entries is taken: 1 of the method PUT"},
		{log(""), "a.log has no entries"},
		{log("hello\n"), `a.log: no line is in the common or combined log format; the first is "hello"`},
		{log(strings.Repeat("x", 70<<10)), "none of its 1 entries is taken: 1 longer than 64 KiB"},
		{log("\x1f\x8bxx"), "a.log: unpack: "},
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
		t.Fatalf("%d turns, %d moments, %d taken, %d requests", len(l.Order), len(l.Moments), l.Taken(), len(l.Requests))
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
	l.MostUsed()
}

func FuzzHAR(f *testing.F) {
	if text, err := os.ReadFile("testdata/shop.har"); err == nil {
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := requests.ReadHAR("a.har", strings.NewReader(text), requests.HAROptions{Methods: []string{"GET", "POST"}})
		check(t, l, err)
	})
}

func FuzzAccessLog(f *testing.F) {
	text, err := os.ReadFile("testdata/access.log")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := requests.ReadAccessLog("a.log", io.LimitReader(bytes.NewReader(text), 1<<20), nil)
		check(t, l, err)
	})
}
