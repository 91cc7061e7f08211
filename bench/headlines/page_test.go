package main

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/internal/machine"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// invented is a page with everything that a page can have. No number in it was measured.
func invented() page {
	return page{
		Date: time.Date(2031, 2, 3, 4, 5, 6, 0, time.UTC), Command: "make headlines", Took: 14*time.Minute + 20*time.Second,
		Machine: []string{"machine   Abacus 3000, 64 CPUs", "load      0.10 0.20 0.30", "go        go9.9"},
		After:   []string{"machine   x", "load      1.10 0.90 0.40"}, Hone: "hone v9 go9.9",
		Parts: []part{
			{
				section: section{Name: "whole", Title: "A system", About: "Published: by hand.\nRatios are to the rung above.\n"},
				Rows: []row{
					{What: "first", Published: "1,000 requests/s", Here: "2,000 requests/s"},
					{What: "second", Published: "1,500 requests/s", PublishedRatio: 1.5, Here: "2,000 -> 2,980 requests/s", Ratio: figures.Ratio{Value: 1.49, Low: 1.45, High: 1.54}},
					{What: "third", Published: "2,000 requests/s", PublishedRatio: 4.0 / 3, Here: "2,980 -> 2,100 requests/s", Ratio: figures.Ratio{Value: 0.7047, Low: 0.69, High: 0.72}, Note: "a | in a note"},
					{What: "fourth", Published: "2,020 requests/s", PublishedRatio: 1.01, Here: "2,100 -> 2,110 requests/s", Ratio: figures.Ratio{Value: 1.005}},
					{What: "fifth", Here: "refused", Note: "two\nlines"},
				},
				Took: 61 * time.Second, CPUs: 64,
				Disturbed: []machine.Disturbance{{Elapsed: time.Second, Others: new(3200 * time.Millisecond), Steal: new(0.0042)}},
				Repeated:  []string{"hone: measurement invalid: the cat sat on it"},
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

func TestAgreement(t *testing.T) {
	for _, c := range []struct {
		published float64
		here      figures.Ratio
		want      string
	}{
		{0, figures.Ratio{Value: 2, Low: 1.9, High: 2.1}, ""},
		{2, figures.Ratio{}, ""},
		{2, figures.Ratio{Value: 2}, "too few rounds for an interval"},
		{1.46, figures.Ratio{Value: 1.5, Low: 1.4, High: 1.6}, "fits the published ratio"},
		{1, figures.Ratio{Value: 1.01, Low: 0.99, High: 1.03}, "fits the published ratio"},
		{1.08, figures.Ratio{Value: 1.05, Low: 0.97, High: 1.1}, "**undecided**: no change is in the interval, too"},
		{1.17, figures.Ratio{Value: 0.9, Low: 0.88, High: 0.92}, "**the opposite of what was published**"},
		{0.5, figures.Ratio{Value: 1.2, Low: 1.1, High: 1.3}, "**the opposite of what was published**"},
		{1.46, figures.Ratio{Value: 1.01, Low: 0.99, High: 1.03}, "**no difference shown here**"},
		{1, figures.Ratio{Value: 1.2, Low: 1.1, High: 1.3}, "**a difference here, none published**"},
		{1.46, figures.Ratio{Value: 13, Low: 12, High: 14}, "the same way, by more"},
		{0.4, figures.Ratio{Value: 0.1, Low: 0.09, High: 0.11}, "the same way, by more"},
		{1.46, figures.Ratio{Value: 1.2, Low: 1.1, High: 1.3}, "the same way, by less"},
		{0.4, figures.Ratio{Value: 0.8, Low: 0.7, High: 0.9}, "the same way, by less"},
	} {
		if got := agreement(c.published, c.here); got != c.want {
			t.Errorf("published %v, here %v: %q, want %q", c.published, c.here, got, c.want)
		}
	}
}
