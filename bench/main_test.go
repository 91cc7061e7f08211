package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/promises"
)

// The page and the READMEs have the figures of the published results. Which rows are of older code depends on the day.
func TestThePagesAreOfTheResults(t *testing.T) {
	page := read(t, promises.PageFile)
	want, err := promises.Page(bed.ResultsDir, promises.StaleIn(page))
	if err != nil {
		t.Fatal(err)
	}
	if page != want {
		t.Errorf("%s is not that of %s: go run . -page", promises.PageFile, bed.ResultsDir)
	}
	if len(page) > 8000 {
		t.Errorf("%s has %d bytes, want 8,000 at most", promises.PageFile, len(page))
	}
	for _, file := range []string{"../README.md", "../README.zh-CN.md"} {
		text := read(t, file)
		if want, err := promises.Readme(bed.ResultsDir, text); err != nil || text != want {
			t.Errorf("%s has other figures than %s: go run . -page (%v)", file, bed.ResultsDir, err)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A case has a name of its own, and every published result is one of a case, with all that says where it comes from.
func TestResultsAreOfCases(t *testing.T) {
	var names []string
	for _, c := range all {
		if slices.Contains(names, c.Name) || c.Shows == "" || c.Takes == "" || c.Run == nil {
			t.Errorf("case %q: twice, or not whole", c.Name)
		}
		names = append(names, c.Name)
	}
	files, err := filepath.Glob(filepath.Join(bed.ResultsDir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no results: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		runs, err := bed.Load(bed.ResultsDir, name)
		if err != nil {
			t.Error(err)
		}
		if !slices.Contains(names, name) {
			t.Errorf("%s is of no case", file)
		}
		for _, r := range runs {
			if r.Date == "" || r.Commit == "" || r.Machine == "" || r.Go == "" || r.Command == "" ||
				len(r.Claims) == 0 {
				t.Errorf("%s: %+v: want date, commit, machine, Go, command and claims", file, r.Taken)
			}
		}
	}
}
