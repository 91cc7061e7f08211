package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
)

// The summary page is that of the published results.
func TestThePageIsOfTheResults(t *testing.T) {
	want, err := bed.Page(bed.ResultsDir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(bed.PageFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not that of %s: go run . -page", bed.PageFile, bed.ResultsDir)
	}
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
