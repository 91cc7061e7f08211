package calibrate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/bench/bed"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func head() record {
	return record{Entry: bed.Entry{At: noon, Session: &bed.Session{Schema: resultsSchema, Hone: "hone devel",
		Machine: []string{"machine   one"}, Command: "calibrate"}}}
}

// A calibration is killed in the middle of a line; the next one goes on behind the last
// whole line, and later readers see no trace.
func TestAnInterruptedCalibrationGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.jsonl")
	write := func(resume bool, rs ...record) {
		t.Helper()
		j, err := bed.Open[record](path, resultsSchema, resume)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rs {
			if err := j.Add(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	read := func() string {
		t.Helper()
		records, err := bed.Read[record](path, resultsSchema)
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, r := range records {
			kind := r.Kind
			if r.Session != nil {
				kind = "session"
			}
			kinds = append(kinds, kind)
		}
		return strings.Join(kinds, " ")
	}
	aa := record{Entry: bed.Entry{At: noon}, Kind: "aa", Service: "framed",
		Comparison: &comparison{Verdict: same, Ratio: 1.001, Seconds: 20}}
	write(true, head(), aa)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(text, `{"kind":"aa","ser`...), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := read(); got != "session aa" {
		t.Errorf("with a torn line: %s", got)
	}
	write(true, record{Kind: "classic", Service: "framed", Classic: &classic{}})
	if got := read(); got != "session aa classic" {
		t.Errorf("gone on: %s", got)
	}
	write(false, head())
	if got := read(); got != "session" {
		t.Errorf("begun anew: %s", got)
	}
	if kept, err := bed.Read[record](path+".old", resultsSchema); err != nil || len(kept) != 3 {
		t.Errorf("old results: %d records, %v", len(kept), err)
	}
}

func TestForeignResultsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"kind":"session","session":{"schema":"hone.calibrate/9"}}` + "\n": `:1: schema "hone.calibrate/9"`,
		`{"kind":"aa"}` + "\nnonsense\n":                                    ":2: ",
		`{"kind":"aa","verdikt":"same"}` + "\n":                             "verdikt",
	} {
		path := filepath.Join(t.TempDir(), "results.jsonl")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := bed.Open[record](path, resultsSchema, true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one that says %q", text, err, want)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != text {
			t.Errorf("%q became %q (%v)", text, after, err)
		}
	}
}

func TestWhatCountsAsFound(t *testing.T) {
	for _, c := range []struct {
		slow, verdict    string
		found, different bool
	}{
		{"B", slower, true, true}, {"B", faster, false, true}, {"A", faster, true, true}, {"A", slower, false, true},
		{"", slower, false, true}, {"", same, false, false}, {"A", same, false, false}, {"B", undecided, false, false},
		{"B", invalid, false, false},
	} {
		got := comparison{Slow: c.slow, Verdict: c.verdict}
		if got.found() != c.found || got.different() != c.different {
			t.Errorf("%+v: found %v, different %v", got, got.found(), got.different())
		}
	}
	if got := (comparison{Slow: "A", Ratio: 0.8}).slowdown(); got != 1.25 {
		t.Errorf("slow-down of A %v, want 1.25", got)
	}
}

// The i-th trial of the classic way takes as long as the i-th comparison of its service.
func TestTheClassicWayGetsTheSameTime(t *testing.T) {
	var records []record
	at := func(want time.Duration) {
		t.Helper()
		if got := classicTime(records, "framed"); got != want {
			t.Errorf("after %d records: %v, want %v", len(records), got, want)
		}
	}
	at(time.Minute)
	for i, s := range []string{"framed", "http", "framed"} {
		records = append(records, record{Kind: "aa", Service: s,
			Comparison: &comparison{Verdict: same, Seconds: float64(10 * (i + 1))}})
	}
	at(10 * time.Second)
	records = append(records, record{Kind: "classic", Service: "framed", Classic: &classic{}})
	at(30 * time.Second)
	records = append(records, record{Kind: "classic", Service: "framed", Classic: &classic{}})
	at(10 * time.Second)
}

// What an iteration costs on one machine says nothing about another one.
func TestAPlantServesTheMachineThatItWasMeasuredOn(t *testing.T) {
	on := func(machine string) record {
		return record{Entry: bed.Entry{Session: &bed.Session{Machine: []string{"machine   " + machine, "load      1.20"}}}}
	}
	first, second := &plant{Slope: 0.1}, &plant{Slope: 0.2}
	records := []record{on("one"), {Service: "http", Plant: first}, {Service: "framed", Plant: &plant{}}, on("one")}
	if got := plantInForce(records, "http"); got != first {
		t.Errorf("the same machine again: %+v, want the first", got)
	}
	records = append(records, on("two"))
	if got := plantInForce(records, "http"); got != nil {
		t.Errorf("another machine: %+v, want none", got)
	}
	records = append(records, record{Service: "http", Plant: second})
	if got := plantInForce(records, "http"); got != second {
		t.Errorf("measured again: %+v, want the second", got)
	}
	if got := plantInForce(append(records, on("one")), "http"); got != nil {
		t.Errorf("back on the first machine: %+v, want none", got)
	}
}
