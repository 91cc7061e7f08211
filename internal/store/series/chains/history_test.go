package chains

import (
	"regexp"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/series"
)

// The lines that were chosen come with what got worse most first: more time, and less throughput.
func TestHistoryChoosesAndOrders(t *testing.T) {
	at := func(hash string, day int) series.Commit {
		return series.Commit{Hash: hash, Time: time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC)}
	}
	first, second := at("aaaaaaaaaa", 1), at("bbbbbbbbbb", 2)
	value := func(name, measure string, ratio float64) series.Value {
		return series.Value{Name: name, Measure: measure, State: series.Measured, Ratio: ratio, Low: ratio * 0.99,
			High: ratio * 1.01, Confidence: 0.95, Verdict: "slower", Confirmed: true}
	}
	content := series.Content{Points: []series.Point{
		{Branch: "main", Subject: "bench", Commit: first},
		{Branch: "main", Subject: "bench", Commit: second, Base: &first, Values: []series.Value{
			value("p.Parse", "time", 1.1), value("p.Read", "time", 1.3), value("p.Read", "rate", 0.5),
			value("q.Other", "time", 9),
		}},
	}, Faults: []series.Fault{{File: "f", Line: 3, Reason: "cut off"}}}
	h, err := HistoryOf("kept", content, Query{Name: regexp.MustCompile("^p")}, Options{}, StepOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range h.Lines {
		got = append(got, l.Name+" "+l.Measure)
		if len(l.Steps) != 1 || l.Steps[0].Commit.Hash != second.Hash {
			t.Errorf("%s: steps %+v", l.Name, l.Steps)
		}
	}
	if len(got) != 3 || got[0] != "p.Read rate" || got[1] != "p.Read time" || got[2] != "p.Parse time" ||
		len(h.Faults) != 1 {
		t.Errorf("%q, %+v", got, h.Faults)
	}
	h, err = HistoryOf("kept", content, Query{Branch: "other"}, Options{}, StepOptions{})
	if err != nil || len(h.Lines) != 0 {
		t.Errorf("another branch: %+v, %v", h, err)
	}
}
