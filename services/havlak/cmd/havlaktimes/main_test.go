package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The table has a line for each program, and their common answer stands below.
func TestSideBySide(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("SKIPPED: needs the go command to build the programs")
	}
	var out bytes.Buffer
	err := run(t.Context(), 1, true, []string{"-loops", "7600", "-warmups", "0", "-repeat", "0"}, &out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\nC++ first ", "\nC++ final ", "\nGo first ", "\nGo slices ", "\nGo final ", "\nloops 7601 "} {
		if _, err := exec.LookPath("g++"); err != nil && strings.Contains(want, "C++") {
			want = "SKIPPED: " + strings.TrimSpace(want)
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestMeasureSaysWhatWentWrong(t *testing.T) {
	if _, _, err := measure(t.Context(), []string{"/bin/sh", "-c", "echo broken >&2; exit 3"}); err == nil || !strings.Contains(err.Error(), "exit status 3\nbroken") {
		t.Errorf("%v", err)
	}
	if _, _, err := measure(t.Context(), []string{filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("a program that is not there was run")
	}
}

// A program that takes next to no memory seems to take what this process does.
func TestMeasureKnowsAHiddenPeak(t *testing.T) {
	u, out, err := measure(t.Context(), []string{"/bin/sh", "-c", "echo small"})
	if err != nil || out != "small\n" || !u.hidden || u.residentKB == 0 {
		t.Errorf("%+v, %q, %v", u, out, err)
	}
}

func TestTableTakesMedians(t *testing.T) {
	runs := []usage{
		{user: 3 * time.Second, real: 4 * time.Second, residentKB: 10},
		{user: time.Second, system: time.Second, real: time.Second, residentKB: 30},
		{user: 2 * time.Second, real: 9 * time.Second, residentKB: 20},
	}
	got := table([]contestant{{name: "Go final", runs: runs}})
	if want := "Go final      2.00s    0.00s    4.00s        20 kB   1.00 to 3.00 s\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	runs[0].hidden = true
	if got := table([]contestant{{name: "Go final", runs: runs}}); !strings.Contains(got, " <= 20 kB ") {
		t.Errorf("a bound is printed as a figure:\n%s", got)
	}
}
