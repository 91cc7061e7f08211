package main

import (
	"encoding/json"
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
