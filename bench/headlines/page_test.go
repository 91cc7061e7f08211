package main

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// invented is a page with everything that a page can have. No number in it was measured.
func invented() page {
	return page{
		Date: time.Date(2031, 2, 3, 4, 5, 6, 0, time.UTC), Command: "make headlines", Took: 14*time.Minute + 20*time.Second,
		Machine: []string{"machine   Abacus 3000, 64 CPUs", "load      0.10 0.20 0.30", "go        go9.9"},
		After:   "load      1.10 0.90 0.40", Hone: "hone v9 go9.9",
		Parts: []part{
			{
				section: section{Name: "whole", Title: "A system", About: "Published: by hand.\nRatios are to the rung above.\n"},
				Rows: []row{
					{What: "first", Published: "1,000 requests/s", Here: "2,000 requests/s"},
					{What: "second", Published: "1,500 requests/s", PublishedRatio: 1.5, Here: "2,000 -> 2,980 requests/s", Ratio: ratio{1.49, 1.45, 1.54}},
					{What: "third", Published: "2,000 requests/s", PublishedRatio: 4.0 / 3, Here: "2,980 -> 2,100 requests/s", Ratio: ratio{0.7047, 0.69, 0.72}, Note: "a | in a note"},
					{What: "fourth", Published: "2,020 requests/s", PublishedRatio: 1.01, Here: "2,100 -> 2,110 requests/s", Ratio: ratio{Value: 1.005}},
					{What: "fifth", Here: "refused", Note: "two\nlines"},
				},
				Took: 61 * time.Second, Disturbed: conditions{Elapsed: 1e9, Others: 32e9 / 10, Steal: 0.0042, CPUs: 64},
				Repeated: []string{"hone: measurement invalid: the cat sat on it"},
			},
			{
				section: section{Name: "cut", Title: "Another", About: "Published: never."},
				Rows:    []row{{What: "first", Here: "1 us"}},
				Err:     errors.New("run hone run: exit status 3\nthe program `x` died"), Took: time.Second,
			},
			{section: section{Name: "none", Title: "A third", About: "Nothing."}, Err: errors.New("build it: no compiler"), Took: time.Second},
		},
	}
}

func TestPage(t *testing.T) {
	for name, quick := range map[string]bool{"page.md": false, "quick.md": true} {
		p := invented()
		if p.Quick = quick; quick {
			p.Parts = p.Parts[:1]
		}
		got := p.markdown()
		golden := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("the page is not that of %s (-update rewrites it):\n%s", golden, got)
		}
	}
}

func TestFailuresNameTheSections(t *testing.T) {
	p := invented()
	err := p.failures()
	want := "section cut: run hone run: exit status 3\nthe program `x` died\nsection none: build it: no compiler"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	p.Parts = p.Parts[:1]
	if err := p.failures(); err != nil {
		t.Errorf("nothing failed: %v", err)
	}
}

// The page is written whole or not at all, and nothing else is left.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "headlines.md")
	for _, text := range []string{"old", "new"} {
		if err := write(path, text); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != "new" {
		t.Errorf("%q, %v", got, err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("%d files, %v", len(left), err)
	}
	if err := write(filepath.Join(dir, "none", "x.md"), "x"); err == nil {
		t.Error("wrote into a directory that is not there")
	}
}
