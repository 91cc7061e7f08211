package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/stored"
)

// historyLedger has a service that got slower at its twelfth run, runs that do not count, and a
// comparison of benchmarks. Its library reads it.
func historyLedger(t *testing.T) *Library {
	t.Helper()
	dir := t.TempDir()
	at := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	l, err := ledger.OpenWith(dir, ledger.Options{Now: func() time.Time { return at.Add(time.Second) }})
	if err != nil {
		t.Fatal(err)
	}
	run := func(n int, status ledger.Status, reason string, cpu float64) string {
		at = at.Add(time.Hour)
		d, err := l.BeginRun(ledger.Run{Started: at, Label: "./cmd/shop", Package: "example.com/shop/cmd/shop",
			Commit: fmt.Sprintf("%08x%032x", 0xa000+n, n),
			Plan:   "http /items, 10 connections, depth 1, closed loop", Machine: "Xeon, 2 CPUs, linux/amd64"})
		if err != nil {
			t.Fatal(err)
		}
		conditions := machine.Summary{Slices: 10, Noticeable: n % 10} // most are disturbed from 6 on
		doc, err := json.Marshal(record.Run{Head: record.Head{Schema: record.RunSchema, ID: d.ID(), Label: "./cmd/shop",
			Conditions: conditions}, CPUNanos: &record.Interval{Value: cpu}})
		low, high := cpu-100, cpu+100
		err = errors.Join(err, d.AddMeasures([]ledger.MeasureValue{{Name: "cpu", Unit: "ns", Value: cpu, Low: &low,
			High: &high}}), d.Finish(status, reason, doc))
		if err != nil {
			t.Fatal(err)
		}
		return d.ID()
	}
	first := ""
	for n := range 24 {
		cpu := 10_000 + float64(n%3)*20
		if n >= 12 {
			cpu += 2000
		}
		if id := run(n, ledger.Complete, "", cpu); first == "" {
			first = id
		}
	}
	run(24, ledger.Invalid, "replies withheld", 5)
	at = at.Add(time.Hour)
	c, err := l.BeginComparison(ledger.Comparison{Started: at})
	if err != nil {
		t.Fatal(err)
	}
	bench, err := json.Marshal(benchmarks.Result{Schema: benchmarks.Schema, ID: c.ID(),
		Sides: [2]benchmarks.Side{{Label: "main"}, {Label: "working tree"}}, Stopped: "decided"})
	_, pinned := l.SetBaseline(ledger.DefaultBaseline, first, "")
	err = errors.Join(err, pinned, c.Finish(ledger.Comparison{Status: ledger.Complete, Word: "slower",
		Sentence: "B is slower than A", Doc: bench}), l.Close())
	if err != nil {
		t.Fatal(err)
	}
	reader, err := ledger.OpenReader(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { reader.Close() })
	return &Library{Stored: &stored.Library{Ledger: reader}}
}

// What the page says of each run, hone history prints in the line of that run.
func TestHistorySaysWhatTheTerminalSays(t *testing.T) {
	l := historyLedger(t)
	q := history.Query{Measure: "cpu"}
	p, err := l.History(q)
	if err != nil {
		t.Fatal(err)
	}
	h, err := history.Read(l.Stored.Ledger, q, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.MeasureHistory(&b, h); err != nil {
		t.Fatal(err)
	}
	if len(p.Series) != 1 || len(p.Series[0].Points) != 25 || !strings.HasPrefix(b.String(), p.Series[0].Title) {
		t.Fatalf("series %+v, the terminal has\n%s", p.Series, &b)
	}
	s := p.Series[0]
	for _, point := range s.Points {
		line := lineWith(b.String(), "  "+point.Run+"  ")
		for _, text := range []string{point.Text, point.Change, point.AgainstBaseline, point.Commit} {
			if !strings.Contains(line, text) {
				t.Errorf("the page has %q of run %s, the terminal %q", text, point.Run, line)
			}
		}
		if point.Counts == (point.Status != "complete") || point.Text == "" {
			t.Errorf("point %+v", point)
		}
	}
	for i, point := range s.Points {
		if want := i%10 > 5; point.Disturbed != want {
			t.Errorf("point %d is marked as disturbed: %v, want %v", i, point.Disturbed, want)
		}
	}
	if len(s.Changes) != 1 || s.Changes[0].Point != 12 || s.Changes[0].Tone != model.Worse ||
		!strings.Contains(b.String(), s.Changes[0].Text) {
		t.Errorf("changes %+v, want one at 12 for the worse, as in\n%s", s.Changes, &b)
	}
	if s.Baseline == nil || s.Baseline.Text != "10.0 us" || s.Points[0].Baselines[0] != ledger.DefaultBaseline {
		t.Errorf("baseline %+v, first point %+v", s.Baseline, s.Points[0])
	}
	if p.Runs != 25 || p.Comparisons != 1 {
		t.Errorf("%d runs and %d comparisons, want 25 and 1", p.Runs, p.Comparisons)
	}
	if k := p.Known; len(k.Packages) != 1 || len(k.Measures) != 1 || k.Measures[0].Name != "CPU per request" ||
		len(k.Statuses) != 6 {
		t.Errorf("known %+v", k)
	}
}

func lineWith(text, word string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, word) {
			return line
		}
	}
	return ""
}

// The list has runs and comparisons, the newest first, with one sentence each.
func TestNewestOfAllKinds(t *testing.T) {
	p, err := historyLedger(t).History(history.Query{})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Newest) != 26 {
		t.Fatalf("%d entries, want 26", len(p.Newest))
	}
	want := []Entry{
		{Kind: KindBench, Title: "benchmarks: main vs working tree", Status: "complete", Text: "B is slower than A",
			Tone: model.Worse},
		{Kind: KindRun, Title: "shop", Status: "invalid", Text: "invalid: replies withheld", Tone: model.Bad},
		{Kind: KindRun, Title: "shop", Status: "complete", Text: "CPU per request 12.0 us", Tone: model.Neutral},
	}
	for i, w := range want {
		got := p.Newest[i]
		w.ID, w.Started = got.ID, got.Started
		if got != w {
			t.Errorf("entry %d is %+v, want %+v", i, got, w)
		}
	}
}

// A word that no run has is an error with the nearest one, as in the terminal.
func TestHistoryOfNothing(t *testing.T) {
	l := historyLedger(t)
	for _, q := range []history.Query{{Measure: "cpo"}, {Filter: ledger.RunFilter{Label: "./cmd/shob"}}} {
		if _, err := l.History(q); fail.KindOf(err) != fail.BadInput ||
			!strings.Contains(fail.HintOf(err), "did you mean") {
			t.Errorf("%+v: %v, want bad input with a hint", q, err)
		}
	}
	empty, err := ledger.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer empty.Close()
	p, err := (&Library{Stored: &stored.Library{Ledger: empty}}).History(history.Query{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(p)
	if err != nil || strings.Contains(string(text), "null") {
		t.Errorf("an empty history has null in it: %s %v", text, err)
	}
}
