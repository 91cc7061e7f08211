package findings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/golden"
	"github.com/gohone/hone/internal/insight/advice"
)

func TestNames(t *testing.T) {
	for function, want := range map[string]string{
		"main.serve": "serve",
		"github.com/gohone/hone/internal/insight/advice/testdata/x/speaks.(*store).count": "(*store).count",
		"example.org/a.b/shop.(*List[...]).Add.func1.2":                                   "(*List[...]).Add",
		"main.pick[go.shape.struct { a/b.ID int }]":                                       "pick[go.shape.struct { a/b.ID int }]",
		"main.main.gowrap1": "main",
		"main.words-range1": "words",
	} {
		if got := nameOf(function); got != want {
			t.Errorf("nameOf(%q) = %q, want %q", function, got, want)
		}
	}
}

func TestCovers(t *testing.T) {
	m := mark{Rule: "r", File: "wire/wire.go", Line: 40, Function: "send"}
	for _, c := range []struct {
		place advice.Place
		want  bool
	}{
		{advice.Place{Function: "x.other", File: "/home/x/internal/insight/advice/testdata/r/speaks/wire/wire.go", Line: 43}, true},
		{advice.Place{Function: "x.other", File: "/home/x/internal/insight/advice/testdata/r/speaks/wire/wire.go", Line: 44}, false},
		{advice.Place{Function: "a/b/wire.send.func1", File: "wire/wire.go", Line: 90}, true},
		{advice.Place{Function: "a/b/wire.send", File: "other/wire.go", Line: 40}, false},
		{advice.Place{Function: "x.other", File: "/internal/insight/advice/testdata/r/fixed/wire/wire.go", Line: 40}, false},
	} {
		if got := m.covers(c.place, "internal/insight/advice/testdata/r/speaks"); got != c.want {
			t.Errorf("%+v: %v, want %v", c.place, got, c.want)
		}
	}
}

// at is a finding at a line of json-any's program.
func at(rule string, line int64, gain float64) found {
	return found{Rule: rule, Title: "does it", Measure: advice.CPU, Cost: gain + 0.01, Gain: gain,
		Place: advice.Place{Function: "main.(*totals).collect", File: "internal/insight/advice/testdata/json-any/speaks/main.go", Line: line}}
}

var wantHere = []mark{{"json-any", "main.go", 30, "(*totals).collect"}}

func trialNamed(t *testing.T, rule string) *trial {
	t.Helper()
	some, err := chosen([]string{rule})
	if err != nil {
		t.Fatal(err)
	}
	return some[0]
}

func TestRankAndGain(t *testing.T) {
	parts := taken{
		speaks: {Marks: wantHere, Said: &said{Findings: []found{at("boxing", 30, 0.4), at("json-any", 30, 0.25)}}},
		silent: {Said: &said{}},
		fixed:  {Said: &said{Findings: []found{at("json-any", 99, 0.1)}}},
		gain:   {Changes: map[string]change{"cpu": {Ratio: 0.8, Low: 0.75, High: 0.85}}},
	}
	j := judge(trialNamed(t, "json-any"), parts)
	if j.Rank != 2 || j.Found == nil || j.Elsewhere || !*j.Silent || *j.Repaired {
		t.Errorf("%+v: want the second finding, silent on the near miss, not on the repaired program", j)
	}
	if j.Held == nil || !*j.Held || j.Measured < 0.199 || j.Measured > 0.201 {
		t.Errorf("25 %% predicted, 20 %% measured: %+v", j)
	}
	if some := j.others(speaks); len(some) != 1 || some[0].Rule != "boxing" {
		t.Errorf("others: %+v", some)
	}
	parts[speaks].Said.Findings[1].Gain = 0.5
	if j := judge(trialNamed(t, "json-any"), parts); j.Held == nil || *j.Held {
		t.Errorf("50 %% predicted, 20 %% measured: %+v", j)
	}
	parts[speaks].Said.Findings[1].Place = advice.Place{Function: "main.main", File: "main.go", Line: 90}
	if j := judge(trialNamed(t, "json-any"), parts); j.Found != nil || !j.Elsewhere || j.foundWord() != "elsewhere" {
		t.Errorf("at another place: %+v", j)
	}
	if j := judge(trialNamed(t, "json-any"), taken{}); j.Found != nil || j.Silent != nil || j.Held != nil {
		t.Errorf("nothing measured: %+v", j)
	}
}

// The document names what was found, what was missed, what is false and what failed.
func TestDocument(t *testing.T) {
	day := time.Date(2026, 11, 23, 5, 0, 0, 0, time.UTC)
	session := &bed.Session{Schema: resultsSchema, Hone: "hone 1", Machine: []string{"machine   a small one"}, Command: "go run ./findings"}
	records := []record{
		{At: day, Session: session},
		{At: day, Trial: "json-any", Part: speaks, Marks: wantHere,
			Said: &said{Findings: []found{at("json-any", 31, 0.25), at("fmt-hot", 80, 0.05), at("boxing", 80, 0.04)}}},
		{At: day, Trial: "json-any", Part: silent, Said: &said{}},
		{At: day, Trial: "json-any", Part: fixed, Said: &said{Findings: []found{at("json-any", 31, 0.1)}}},
		{At: day, Trial: "json-any", Part: gain, Changes: map[string]change{"cpu": {Ratio: 0.8, Low: 0.78, High: 0.81}}},
		{At: day, Trial: "big-copy", Part: speaks, Marks: []mark{{"big-copy", "league/league.go", 40, "(*League).Best"}}, Said: &said{}},
		{At: day, Trial: "big-copy", Part: silent, Failed: "run hone run: exit status 3\nno port"},
	}
	reviews := []review{{"json-any/speaks", "fmt-hot", "(*totals).collect", isTrue, "it formats each line"}}
	got := &bed.Result{}
	bed.Origin(got, records)
	write(got, records, reviews)
	golden.Check(t, "testdata/findings.txt", got.Text())
}

func TestReviews(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reviewed.jsonl")
	for text, fault := range map[string]string{
		`{"program":"a/speaks","rule":"r","function":"f","word":"true","reason":"so"}` + "\n": "",
		`{"program":"a/speaks","rule":"r","word":"maybe","reason":"so"}` + "\n":               ":1: word",
		`{"program":"a/speaks","rule":"r","word":"false","reason":""}` + "\n":                 "a reason",
		"\n" + `{"nonsense":1}` + "\n":                                                        ":1: ",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := readReviews(path)
		if fault == "" && err != nil || fault != "" && (err == nil || !strings.Contains(err.Error(), fault)) {
			t.Errorf("%s: %v, want %q", text, err, fault)
		}
	}
	if all, err := readReviews(filepath.Join(t.TempDir(), "none")); all != nil || err != nil {
		t.Errorf("no file: %v, %v", all, err)
	}
}

// The reviews that come with the repository can be read, and name programs that are there.
func TestReviewedPrograms(t *testing.T) {
	all, err := readReviews("reviewed.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if _, err := os.Stat(filepath.Join(fromHere, programs, r.Program)); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
	}
}
