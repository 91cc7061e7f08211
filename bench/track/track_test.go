package track

import (
	"testing"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/internal/store/series"
)

// Commits are tracked in their order, bursts of the libraries by turns, and go on where the journal ends.
func TestOrderOfCommits(t *testing.T) {
	var replays []*replay
	var records []record
	for i, l := range libraries {
		replays = append(replays, &replay{library: l})
		for n := range 3 * i { // of the second library three commits are there, of the third six
			records = append(records, record{Repo: l.repo, Commit: n})
		}
	}
	todo := commitsOf(replays, records)
	if want := len(libraries)*length - 9; len(todo) != want {
		t.Fatalf("%d commits to track, want %d", len(todo), want)
	}
	next := map[string]int{libraries[1].repo: 3, libraries[2].repo: 6}
	for i, one := range todo {
		if one.commit != next[one.repo] || one.direct != noBase {
			t.Fatalf("trial %d is %v, want commit %d", i, one, next[one.repo])
		}
		next[one.repo]++
	}
	if todo[burst].repo == todo[burst-1].repo {
		t.Errorf("after a burst of %s comes %s", todo[burst-1].repo, todo[burst])
	}
}

// Planted slow-downs add up where they overlap, and end where they are undone.
func TestLevels(t *testing.T) {
	for commit, want := range map[int]float64{0: 0, 10: 0, 11: 0.02, 23: 0.07, 33: 0.07, 34: 0.02, 41: 0.12, 52: 0.02,
		length - 1: 0.02} {
		if got := level(commit); got < want-1e-9 || got > want+1e-9 {
			t.Errorf("commit %d: %g, want %g", commit, got, want)
		}
	}
}

// One benchmark is named by its name in a series, with its cases.
func TestPatternOfOneBenchmark(t *testing.T) {
	l := library{"BurntSushi/toml", []string{"Example"}}
	for name, want := range map[string]string{
		"github.com/BurntSushi/toml.Example/decode": "^BenchmarkExample$/^decode$",
		"example.com/v1.2/x.Example":                "^BenchmarkExample$",
	} {
		if got := l.patternOf(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// The report finds planted steps at their commits, holds them against direct comparisons, and counts the alarms of
// single runs: right ones where a slow-down is planted, false ones elsewhere.
func TestReport(t *testing.T) {
	l := libraries[0]
	name := "github.com/" + l.repo + "." + l.benchmarks[0]
	at := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	commit := func(i int) series.Commit {
		return series.Commit{Hash: string(rune('a'+i/26)) + string(rune('a'+i%26)) + "00000000", Time: at.Add(time.Duration(i) * time.Hour)}
	}
	value := func(ratio float64) series.Value {
		return series.Value{Name: name, Measure: "time", Unit: "ns", State: series.Measured, Ratio: ratio, Low: ratio * 0.995,
			High: ratio * 1.005, Confidence: 0.95, Confirmed: ratio > 1.01 || ratio < 0.99}
	}
	point := func(i, base int, v ...series.Value) series.Point {
		p := series.Point{At: at.Add(time.Duration(i) * time.Hour), Branch: branch, Subject: "bench", Commit: commit(i), Values: v}
		if base != noBase {
			b := commit(base)
			p.Base = &b
		}
		return p
	}
	records := []record{{Entry: bed.Entry{At: at, Session: &bed.Session{Schema: resultsSchema}}}, {Repo: l.repo, Slope: &corpus.Slope{}}}
	for i := range length {
		r := record{Repo: l.repo, Commit: i, Base: noBase, Single: map[string]float64{l.benchmarks[0] + "-2": 1 + level(i)}}
		if i == 5 {
			r.Single[l.benchmarks[0]+"-2"] = 1.3 // a noisy run
		}
		r.Points = []series.Point{point(i, i-1)}
		if i > 0 {
			r.Points[0].Values = []series.Value{value((1 + level(i)) / (1 + level(i-1)))}
		}
		records = append(records, r)
	}
	records = append(records, record{Repo: l.repo, Direct: true, Commit: plants[0].from, Base: plants[0].from - 1, Only: name,
		Points: []series.Point{point(plants[0].from, plants[0].from-1, value(1.02))}},
		record{Repo: l.repo, Direct: true, Commit: length - 1, Base: 0, Points: []series.Point{point(length-1, 0, value(1.02))}})
	res := &bed.Result{}
	document(res, records)
	want := map[string]string{
		"steps that a direct comparison of their two ends confirms": "1 of 1",
		"planted 2 %: found at its commit":                          "1 of 1",
		"planted 5 %: found at its commit":                          "1 of 1",
		"planted 10 %: found at its commit":                         "1 of 1",
		"planted and undone: seen as taken back":                    "2 of 2",
	}
	for _, c := range res.Claims {
		for what, figure := range want {
			if len(c.What) >= len(what) && c.What[:len(what)] == what {
				if len(c.Figure) < len(figure) || c.Figure[:len(figure)] != figure {
					t.Errorf("%s: %s, want %s", c.What, c.Figure, figure)
				}
				delete(want, what)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("no claims about %v in %v", want, res.Claims)
	}
	single := res.Tables[len(res.Tables)-1]
	if row := single.Rows[0]; row[2] != "1" || row[4] != "1" {
		t.Errorf("alarms over 110 %%: %v, want the noisy run alone, as a false one", row)
	}
}
