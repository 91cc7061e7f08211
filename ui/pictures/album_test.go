package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A name chooses the job that makes the picture; a wrong one is refused with the names that there are.
func TestChosen(t *testing.T) {
	all, err := chosen(nil)
	if err != nil || len(all) != 2+len(stories) {
		t.Fatalf("%d jobs, %v", len(all), err)
	}
	some, err := chosen([]string{"flame", "first-minute"})
	if err != nil || len(some) != 2 || some[1].names[2] != "flame" {
		t.Errorf("%v, %v", some, err)
	}
	if _, err := chosen([]string{"flames"}); err == nil || !strings.Contains(err.Error(), "compare, report, flame") {
		t.Errorf("error %v", err)
	}
}

// A picture that is made alone leaves the record of the others as it was.
func TestAddTo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "made.json")
	before := record{Date: "2026-11-01", Commit: "a", Machine: "m",
		Pictures: map[string]string{"old.png": "hone demo", "new.svg": "hone run"}}
	if err := before.write(file); err != nil {
		t.Fatal(err)
	}
	alone := record{Date: "2026-11-02", Commit: "b", Machine: "n",
		Pictures: map[string]string{"new.svg": "hone compare"}}
	if err := alone.addTo(file); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var after record
	if err := json.Unmarshal(text, &after); err != nil {
		t.Fatal(err)
	}
	if after.Date != "2026-11-01" || after.Pictures["old.png"] != "hone demo" ||
		after.Pictures["new.svg"] != "hone compare # 2026-11-02, b, n" {
		t.Errorf("%+v", after)
	}
}

// A picture that cannot be made is named, with the reason. The others are written, and the record keeps what it says of
// the old file.
func TestOnePictureIsMissing(t *testing.T) {
	dir := t.TempDir()
	before := record{Date: "2026-11-01", Commit: "a", Machine: "m", Pictures: map[string]string{"tls.png": "hone old"}}
	if err := before.write(filepath.Join(dir, "made.json")); err != nil {
		t.Fatal(err)
	}
	noPage := errors.New("the report does not contain that page")
	a := &album{made: &record{Date: "2026-11-02", Commit: "b", Machine: "n", Pictures: map[string]string{}},
		taken: map[string][]byte{}, take: func(p picture) ([]byte, error) {
			if strings.Contains(p.address, "#/diff/") {
				return nil, noPage
			}
			return []byte("png"), nil
		}}
	undecided := &comparison{ID: "c1", Runs: []string{"r1", "r2"}, undecided: true}
	err := a.makeAll(t.Context(), []job{
		{[]string{"report", "flame"}, func(context.Context, *album) error {
			a.shoot(undecided, undecided.picture("report", "file:///r.html"))
			a.shoot(undecided, undecided.difference("flame", "file:///r.html", "cpu"))
			return nil
		}},
		{[]string{"tls"}, func(context.Context, *album) error { return errors.New("hone compare: it does not build") }},
		{[]string{"rpc"}, func(context.Context, *album) error {
			a.shoot(undecided, undecided.picture("rpc", "file:///r.html"))
			return nil
		}},
	})
	if err := errors.Join(err, a.save(dir, false)); err != nil {
		t.Fatal(err)
	}
	if missing := a.missing(); !errors.Is(missing, noPage) || !strings.Contains(missing.Error(),
		"could not make the picture flame: the comparison ended undecided") ||
		!strings.Contains(missing.Error(), "could not make the picture tls: hone compare: it does not build") {
		t.Errorf("missing: %v", missing)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.png"))
	if err != nil || len(files) != 2 {
		t.Errorf("%q, %v", files, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "made.json"))
	if err != nil || !strings.Contains(string(text), `"tls.png": "hone old"`) ||
		!strings.Contains(string(text), `"rpc.png": "hone compare`) || strings.Contains(string(text), "flame.png") {
		t.Errorf("%s, %v", text, err)
	}
}

// An interrupt ends the work; nothing is called missing.
func TestAnInterruptEndsThePictures(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	a := &album{}
	err := a.makeAll(ctx, []job{
		{[]string{"rpc"}, func(context.Context, *album) error { stop(); return errors.New("killed") }},
		{[]string{"tls"}, func(context.Context, *album) error { t.Error("the next one began"); return nil }},
	})
	if !errors.Is(err, context.Canceled) || a.missing() != nil {
		t.Errorf("%v, missing %v", err, a.missing())
	}
}
