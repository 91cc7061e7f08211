package robust

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// drawing is a kind whose outcome is what it draws.
func drawing(name string) *kind {
	return &kind{Name: name, Run: func(_ context.Context, _ *rig, t trial) (outcome, error) {
		return outcome{What: name, Executions: t.Random.Uint64()}, nil
	}}
}

// take carries out a session with these kinds on a file of results, and returns all records.
func take(t *testing.T, ctx context.Context, path string, want int, ks ...*kind) ([]record, error) {
	t.Helper()
	j, err := bed.Open[record](path, resultsSchema, true)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	s := &session{journal: j, kinds: ks, want: map[string]int{}, spent: map[string]time.Duration{},
		progress: io.Discard}
	for _, k := range ks {
		s.want[k.Name] = want
	}
	err = s.run(ctx, time.Now().Add(time.Hour))
	return j.Records, err
}

// A measurement that is interrupted goes on with new trials, and draws what an uninterrupted
// one draws.
func TestAnInterruptedMeasurementGoesOn(t *testing.T) {
	a, b := drawing("a"), drawing("b")
	whole, err := take(t, t.Context(), filepath.Join(t.TempDir(), "whole"), 6, a, b)
	if err != nil || len(whole) != 12 {
		t.Fatalf("%d records: %v", len(whole), err)
	}
	path := filepath.Join(t.TempDir(), "parts")
	if _, err := take(t, t.Context(), path, 2, a, b); err != nil {
		t.Fatal(err)
	}
	tear(t, path)
	parts, err := take(t, t.Context(), path, 6, a, b)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []*kind{a, b} {
		var want, got []uint64
		for _, r := range of(whole, k) {
			want = append(want, r.Outcome.Executions)
		}
		for i, r := range of(parts, k) {
			got = append(got, r.Outcome.Executions)
			if r.Number != i {
				t.Errorf("trial %d of %s has the number %d", i, k.Name, r.Number)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s drew %v in parts, %v as a whole", k.Name, got, want)
		}
	}
	if reflect.DeepEqual(of(whole, a)[0].Outcome.Executions, of(whole, b)[0].Outcome.Executions) {
		t.Error("two kinds draw the same")
	}
}

// tear adds a line that a kill cut off.
func tear(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(`{"at":"2026-01`)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// A trial that Ctrl-C interrupts leaves no record and is taken again.
func TestAnInterruptedTrialIsNoResult(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	k := &kind{Name: "k", Run: func(context.Context, *rig, trial) (outcome, error) {
		stop()
		return outcome{Failures: []string{"hone was ended"}}, nil
	}}
	path := filepath.Join(t.TempDir(), "results")
	if records, err := take(t, ctx, path, 1, k); err != nil || len(records) != 0 {
		t.Errorf("%d records, %v", len(records), err)
	}
}

// What cannot be carried out is tried again, and given up after three times in a row.
func TestItGivesUpOnWhatDoesNotWork(t *testing.T) {
	tried := 0
	k := &kind{Name: "k", Run: func(context.Context, *rig, trial) (outcome, error) {
		if tried++; tried == 3 {
			return outcome{What: "worked"}, nil
		}
		return outcome{}, errors.New("no disk")
	}}
	records, err := take(t, t.Context(), filepath.Join(t.TempDir(), "results"), 2, k)
	if err == nil || !strings.Contains(err.Error(), "no disk") || len(records) != 1 || tried != 3+patience {
		t.Errorf("%d records after %d trials, %v", len(records), tried, err)
	}
}

func TestKindsGetTheSameTime(t *testing.T) {
	s := &session{journal: &bed.Journal[record]{}, kinds: []*kind{{Name: "slow"}, {Name: "quick"}, {Name: "done"}},
		want:  map[string]int{"slow": 9, "quick": 9},
		spent: map[string]time.Duration{"slow": time.Minute, "quick": time.Second}}
	if k := s.choose(); k.Name != "quick" {
		t.Errorf("%s comes next", k.Name)
	}
	s.spent["quick"] = time.Hour
	if k := s.choose(); k.Name != "slow" {
		t.Errorf("%s comes next", k.Name)
	}
	s.want = nil
	if k := s.choose(); k != nil {
		t.Errorf("%s comes next, and all is done", k.Name)
	}
}

func TestWantedNumbers(t *testing.T) {
	for text, crash := range map[string]int{"": crashes.Default, "7": 7, "crash=5": 5, "pages=5": crashes.Default,
		"crash=1,pages=2": 1} {
		if got, err := parseWanted(text); err != nil || got["crash"] != crash {
			t.Errorf("-n %q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"x", "-1", "crash", "crsh=1", "crash=", "crash=1,,"} {
		if got, err := parseWanted(text); err == nil {
			t.Errorf("-n %q: %v", text, got)
		}
	}
}

// A result says with which flags trials came about, and not where files are.
func TestTheCommandOfAResult(t *testing.T) {
	c := parse(bed.New("robust", "-results", "/home/me/r.jsonl", "-kinds", "fuzz", "-for", "8h", "-report"))
	if c.Faults() != nil || c.CommandLine() != "go run . robust -for 8h0m0s -kinds fuzz" {
		t.Errorf("%q, %v", c.CommandLine(), c.Faults())
	}
}
