package finder

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
)

func TestWantedNames(t *testing.T) {
	o := wire.Options{
		Headers:  []string{"Authorization: Bearer {token}", "X: {row}"},
		Body:     []byte(`{"query": "{viewer {id} {token}}"}`),
		Feed:     &wire.Feed{Names: []string{"row"}, Rows: [][]string{{"1"}, {"2"}}},
		Requests: []wire.Request{{}, {Path: "http://h:{port}/{other}"}},
	}
	strict, loose := wanted("http://127.0.0.1:{port}/{id}?x={port2}{socket}{dir}{db.port}&{row}", o)
	if want := []string{"id", "token", "other"}; !slices.Equal(strict, want) ||
		!slices.Equal(loose, []string{"id", "token"}) {
		t.Errorf("strict %v, loose %v", strict, loose)
	}
	got := Values{"id": "7", "token": "x", "unused": "y"}.fill("http://h/{id}", o)
	if !slices.Equal(got.Feed.Names, []string{"row", "id", "token"}) ||
		!slices.Equal(got.Feed.Rows[1], []string{"2", "7", "x"}) {
		t.Errorf("%+v", got.Feed)
	}
	if len(o.Feed.Names) != 1 || len(o.Feed.Rows[0]) != 1 {
		t.Error("the user's feed was changed")
	}
	if none := (Values{"unused": "y"}).fill("http://h/", wire.Options{}); none.Feed != nil {
		t.Error("a feed without need")
	}
}

func TestReadValues(t *testing.T) {
	const url = "http://h/?t={token}"
	body := wire.Options{Body: []byte("{viewer}")}
	for _, c := range []struct {
		stdout, target string
		o              wire.Options
		want           Values
		fault          string
	}{
		{`{"token": "a\nb", "n": 1.50, "deep": {"x": [1]}, "no": null}`, url, wire.Options{},
			Values{"token": "a\nb", "n": "1.50", "deep": `{"x":[1]}`, "no": "null"}, ""},
		{"\n{\n  \"token\": true\n}\n", url, wire.Options{}, Values{"token": "true"}, ""},
		{"seeded 5 rows", "http://h/", wire.Options{}, nil, ""},
		{"seeded 5 rows", "http://h/", body, nil, ""},
		{"{}", "http://h/", body, nil, ""},
		{`{"viewer": "v"}`, "http://h/", body, Values{"viewer": "v"}, ""},
		{"", url, wire.Options{}, nil, "wrote no JSON object to its standard output (0 bytes)"},
		{"[1]", url, wire.Options{}, nil, "wrote no JSON object"},
		{`{"token": `, url, wire.Options{}, nil, "wrote no JSON object"},
		{`{"token": 1} {"token": 2}`, url, wire.Options{}, nil, "wrote no JSON object"},
		{`{"token": 1, "token": 2}`, url, wire.Options{}, nil, "twice"},
		{`{"user": 1, "id": 2}`, url, wire.Options{}, nil, "has no such key; it has id, user"},
		{`{}`, url, wire.Options{}, nil, "no such key; it has none"},
	} {
		got, err := ReadValues([]byte(c.stdout), c.target, c.o, "A")
		if c.fault == "" && err != nil || c.fault != "" &&
			(err == nil || !strings.Contains(err.Error(), c.fault) || fail.ExitCode(err) != int(fail.Subject)) ||
			!maps.Equal(got, c.want) {
			t.Errorf("%q for %s %s: %v, %v; want %v, %q", c.stdout, c.target, c.o.Body, got, err, c.want, c.fault)
		}
	}
}

// A target whose names a command is still to fill is good; without a command it is not.
func TestTargetsWithValues(t *testing.T) {
	if _, err := Parse("http://127.0.0.1:{port}/{id}", wire.Options{},
		build.Variant{AfterStart: []string{"x"}}); err != nil {
		t.Error(err)
	}
	if target, err := Parse("http://127.0.0.1:{port}/?db={db.port}", wire.Options{},
		build.Variant{}); err != nil || target.Address != "127.0.0.1:{port}" {
		t.Error(target.Address, err)
	}
	if _, err := Parse("http://127.0.0.1:{port}/{id}", wire.Options{},
		build.Variant{}); fail.ExitCode(err) != int(fail.BadInput) {
		t.Error(err)
	}
}

func FuzzReadValues(f *testing.F) {
	f.Add(`{"token": "x"}`)
	f.Add(`{"token": {"a": [1, 2.5e3]}, "b": null}`)
	f.Add("seeded\n")
	f.Fuzz(func(t *testing.T, stdout string) {
		got, err := ReadValues([]byte(stdout), "http://h/{token}", wire.Options{}, "A")
		if _, ok := got["token"]; ok != (err == nil) {
			t.Errorf("%q: %v, %v", stdout, got, err)
		}
	})
}
