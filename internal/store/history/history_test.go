package history

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start is when the stories begin.
var start = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// book is a ledger that a story writes runs to, an hour apart.
type book struct {
	*testing.T
	*ledger.Ledger
	at time.Time
}

func newBook(t *testing.T) *book {
	t.Helper()
	l, err := ledger.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return &book{T: t, Ledger: l, at: start}
}

// run stores a run of the usual package with this CPU per request; 0 stores none.
func (b *book) run(commit string, status ledger.Status, cpu float64, change func(*ledger.Run)) string {
	b.Helper()
	b.at = b.at.Add(time.Hour)
	r := ledger.Run{Started: b.at, Package: "example.com/shop", Label: ".", Commit: commit,
		Plan: "http, 10 connections", Machine: "a machine"}
	if change != nil {
		change(&r)
	}
	d, err := b.BeginRun(r)
	if err != nil {
		b.Fatal(err)
	}
	if cpu > 0 {
		low, high := cpu*0.99, cpu*1.01
		if err := d.AddMeasures([]ledger.MeasureValue{{Name: "cpu", Unit: "ns", Value: cpu, Low: &low,
			High: &high}}); err != nil {
			b.Fatal(err)
		}
	}
	if err := d.Finish(status, "", nil); err != nil {
		b.Fatal(err)
	}
	return d.ID()
}

func (b *book) read(q Query) *History {
	b.Helper()
	h, err := Read(b.Ledger, q, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		b.Fatal(err)
	}
	return h
}

// Of forty runs with 1 % of noise, those from the twentieth on cost 4 % more: the change
// is found there, at the commit that brought it. An invalid run with an absurd value and
// a crashed one lie in between: they are shown, and change nothing.
func TestChangeIsFoundAtItsCommit(t *testing.T) {
	b := newBook(t)
	rng := rand.New(rand.NewPCG(4, 2))
	var first string
	for i := range 40 {
		cpu := 1000 * math.Exp(0.01*rng.NormFloat64())
		if i >= 20 {
			cpu *= 1.04
		}
		id := b.run(fmt.Sprintf("%040x", i), ledger.Complete, cpu, nil)
		if i == 20 {
			first = id
		}
		if i == 10 {
			b.run("bad", ledger.Invalid, 5000, nil)
			b.run("dead", ledger.Interrupted, 0, nil)
		}
	}
	h := b.read(Query{})
	if len(h.Series) != 1 || len(h.Series[0].Entries) != 42 {
		t.Fatalf("%d series: %+v", len(h.Series), h.Series)
	}
	s := h.Series[0]
	if len(s.Changes) != 1 {
		t.Fatalf("changes %+v, want one", s.Changes)
	}
	c := s.Changes[0]
	if c.Run != first || c.Commit != s.Entries[c.Entry].Commit || c.LastCommit != s.Entries[c.Entry-1].Commit {
		t.Errorf("change at run %s of %s after %s, want run %s", c.Run, c.Commit, c.LastCommit, first)
	}
	if c.Ratio < 1.03 || c.Ratio > 1.05 || !c.Worse || c.Better || c.P > 0.01 || c.Before < 980 || c.After > 1060 {
		t.Errorf("%+v", c)
	}
	shown := map[ledger.Status]int{}
	for _, e := range s.Entries {
		shown[e.Status]++
		if e.Counts != (e.Status == ledger.Complete) || !e.Counts && (e.Change != nil || e.AgainstBaseline != nil) {
			t.Errorf("%+v", e)
		}
		if e.Change != nil && math.Abs(*e.Change) > 0.1 {
			t.Errorf("run %s changed by %v: the invalid run counted", e.ID, *e.Change)
		}
	}
	if shown[ledger.Invalid] != 1 || shown[ledger.Interrupted] != 1 {
		t.Errorf("shown: %v", shown)
	}

	// The last ten do not show the change, and say that there is more.
	s = b.read(Query{Number: 10}).Series[0]
	if len(s.Entries) != 10 || len(s.Changes) != 0 || s.Earlier != 32 {
		t.Errorf("%d entries, changes %+v, %d earlier", len(s.Entries), s.Changes, s.Earlier)
	}
	// The last 25 do, and at the right place.
	s = b.read(Query{Number: 25}).Series[0]
	if len(s.Changes) != 1 || s.Entries[s.Changes[0].Entry].ID != first {
		t.Errorf("changes %+v", s.Changes)
	}
}

// Without a change there is none to find, however many runs.
func TestNoiseIsNoChange(t *testing.T) {
	b := newBook(t)
	rng := rand.New(rand.NewPCG(8, 8))
	for i := range 40 {
		b.run(fmt.Sprint(i), ledger.Complete, 1000*math.Exp(0.01*rng.NormFloat64()), nil)
	}
	if c := b.read(Query{}).Series[0].Changes; len(c) != 0 {
		t.Errorf("changes %+v", c)
	}
}

// The change of a run is from the run that was measured with it, whatever other times have shown of the commits before.
func TestAChangeIsFromTheRunThatWasMeasuredWithIt(t *testing.T) {
	b := newBook(t)
	b.run("old", ledger.Complete, 50, nil)
	c, err := b.BeginComparison(ledger.Comparison{Started: b.at})
	if err != nil {
		t.Fatal(err)
	}
	as := func(variant string) func(*ledger.Run) {
		return func(r *ledger.Run) { r.Comparison, r.Variant, r.Label = c.ID(), variant, "./"+variant }
	}
	first := b.run("old", ledger.Complete, 100, as("A"))
	second := b.run("new", ledger.Complete, 91, as("B"))
	stopped := b.run("newer", ledger.Partial, 0, as("C"))
	if err := c.Finish(ledger.Comparison{Status: ledger.Complete}); err != nil {
		t.Fatal(err)
	}
	alone := b.run("new", ledger.Complete, 120, func(r *ledger.Run) { r.Label = "./B" })
	changes := map[string]Entry{}
	for _, s := range b.read(Query{Filter: ledger.RunFilter{Label: "./B"}}).Series {
		for _, e := range s.Entries {
			changes[e.ID] = e
		}
	}
	if e := changes[second]; e.Change == nil || math.Abs(*e.Change+0.09) > 1e-9 || e.ChangeFrom != first {
		t.Errorf("B was measured with A: %+v", e)
	}
	if e := changes[alone]; !e.Counts || e.Change != nil || e.ChangeFrom != "" {
		t.Errorf("a run by itself has a change: %+v", e)
	}
	for _, s := range b.read(Query{}).Series {
		for _, e := range s.Entries {
			if e.Change != nil && e.ID != second {
				t.Errorf("run %s of commit %s has a change: %+v", e.ID, e.Commit, e)
			}
		}
	}
	if stopped == "" {
		t.Fatal("no run that was stopped")
	}
}

// What may not be compared is not in one series; a baseline serves all variants of its
// package, plan and machine, and no others.
func TestSeriesAndBaselines(t *testing.T) {
	b := newBook(t)
	pinned := b.run("a", ledger.Complete, 100, nil)
	b.run("b", ledger.Complete, 150, nil)
	b.run("b", ledger.Complete, 200, func(r *ledger.Run) { r.Label = "main:." })
	b.run("b", ledger.Complete, 300, func(r *ledger.Run) { r.Plan = "http, 11 connections" })
	b.run("b", ledger.Complete, 400, func(r *ledger.Run) { r.Machine = "another" })
	b.run("b", ledger.Complete, 500, func(r *ledger.Run) { r.Package = "example.com/office" })
	b.run("c", ledger.Interrupted, 0, func(r *ledger.Run) { r.Plan, r.Machine = "", "" })
	for _, name := range []string{"main", ""} {
		if _, err := b.SetBaseline(name, pinned, ""); err != nil {
			t.Fatal(err)
		}
	}
	h := b.read(Query{Measure: "cpu"})
	if len(h.Series) != 5 {
		t.Fatalf("%d series: %+v", len(h.Series), h.Series)
	}
	for _, s := range h.Series {
		value := s.Entries[len(s.Entries)-1].Measure
		if s.Entries[len(s.Entries)-1].Plan == "" {
			value = s.Entries[len(s.Entries)-2].Measure // the interrupted run, shown with its like
		}
		fits := value.Value < 300
		if fits != (s.Baseline != nil) {
			t.Errorf("series %+v has the baseline %+v", s.Key, s.Baseline)
		}
		for _, e := range s.Entries {
			if fits && e.Counts && e.ID != pinned &&
				(e.AgainstBaseline == nil || math.Abs(*e.AgainstBaseline-(e.Measure.Value/100-1)) > 1e-9) {
				t.Errorf("run of %v against the baseline: %v", e.Measure.Value, e.AgainstBaseline)
			}
			if e.ID == pinned && strings.Join(e.Baselines, " ") != "default main" {
				t.Errorf("pinned as %v", e.Baselines)
			}
		}
	}
	// The baseline serves a list that does not show it.
	s := b.read(Query{Filter: ledger.RunFilter{Label: "main:."}}).Series
	if len(s) != 1 || s[0].Baseline == nil || *s[0].Entries[0].AgainstBaseline != 1 {
		t.Errorf("%+v", s)
	}
}

// A measure that no run has is named with the nearest that there is; one that only some
// run has is found.
func TestMeasureNames(t *testing.T) {
	b := newBook(t)
	d, err := b.BeginRun(ledger.Run{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.AddMeasures([]ledger.MeasureValue{{Name: "queue", Unit: "B", Value: 0}}); err != nil {
		t.Fatal(err)
	}
	if err := d.Finish(ledger.Complete, "", nil); err != nil {
		t.Fatal(err)
	}
	h := b.read(Query{Measure: "queue"})
	if len(h.Series) != 1 || h.Series[0].Unit != "B" || h.Series[0].Entries[0].Counts || h.Measure.Better != "" {
		t.Errorf("%+v", h)
	}
	for word, hint := range map[string]string{"quee": "queue", "p999": "p99", "x": "cpu, rate"} {
		_, err := Read(b.Ledger, Query{Measure: word}, rand.New(rand.NewPCG(1, 1)))
		if fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(fail.HintOf(err), hint) {
			t.Errorf("%s: %v, hint %q", word, err, fail.HintOf(err))
		}
	}
}

// Measures whose smallest values mean nothing are cut at their floor: from none to next to
// none is not a change.
func TestFloorOfMeasures(t *testing.T) {
	if c := changeTo(measure.Allocs, 0, 0.001); *c != 0 {
		t.Errorf("change %v", *c)
	}
	if c := changeTo(measure.Allocs, 0, 1); *c != 99 {
		t.Errorf("change %v", *c)
	}
}
