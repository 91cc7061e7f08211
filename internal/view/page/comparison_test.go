package page

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/stored"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
)

// contested is a contest in which B takes a tenth of A's CPU time, by two places and some smaller ones.
func contested() record.Contest {
	verdict := func(m judge.Measure, a, ratio float64, w judge.Word) judge.Verdict {
		return judge.Verdict{Measure: m, Word: w, Reason: "shown", A: a, B: a * ratio, Ratio: ratio, Low: ratio * 0.98,
			High: ratio * 1.02, Conf: 0.95,
			Method: judge.SignFlip, Starts: 8, Pairs: 200, Alpha: 0.05, Delta: 0.01}
	}
	return record.Contest{
		A: 0, B: 1, Word: judge.Faster,
		Verdicts: []judge.Verdict{verdict(measure.CPU, 13_900, 0.1, judge.Faster),
			verdict(measure.Throughput, 71_000, 4.2, judge.Faster), verdict(measure.Allocs, 5, 1, judge.Same)},
		Why: &diff.Explanation{Total: -90, Explained: -80, Smaller: -3, More: 2, Unexplained: -7,
			Changes: []diff.Change{
				{
					Site: prof.Site{What: "Syscall under net.(*conn).Read", Function: "main.serve",
						File: "/src/main.go",
						Line: 41},
					A: 9_900, B: 30, Delta: -9_870, Share: -71, Low: -75, High: -67,
				},
				{Site: prof.Site{What: "garbage collector (runtime.gcBgMarkWorker)"}, Outside: true,
					A: 2_000, B: 750, Delta: -1_250, Share: -9, Low: -12, High: -6},
			}},
		WhyTime: []record.TimeChange{{Cohort: walltime.TypicalName, A: 2e6, B: 0.5e6, Causes: []walltime.Cause{
			{Part: walltime.Part{Label: walltime.Label{Call: walltime.Call{State: walltime.Lock, Function: "main.serve",
				File: "/src/main.go", Line: 43}}, Nanos: -1.2e6}, Share: 0.8},
		}}},
		WhyAllocs: &diff.Explanation{}, // allocations are the same: nothing is explained
		Findings: []advice.Change{
			{Rule: "fmt-hot", Title: "fmt is hot",
				Place: code.Place{Function: "main.serve", File: "/src/main.go", Line: 41}, Word: advice.Gone,
				Measure: advice.CPU, Delta: -1_500},
			{Rule: "grows", Title: "goroutines grow",
				Place: code.Place{Function: "main.serve", File: "/src/main.go", Line: 50}, Word: advice.New,
				Measure: "growth"},
		},
	}
}

// Steps lead from one total to the other, so that nothing is hidden: what is not explained is a step of its own.
func TestWaterfallsAddUp(t *testing.T) {
	c := contested()
	for _, w := range waterfalls(c) {
		at := w.From.Value
		for _, s := range w.Steps {
			at += s.Delta.Value
		}
		if math.Abs(at-w.To.Value) > 1e-6*w.From.Value {
			t.Errorf("%s: the steps lead from %v to %v, want %v", w.Title, w.From.Value, at, w.To.Value)
		}
		if last := w.Steps[len(w.Steps)-1]; last.Kind != stepUnexplained {
			t.Errorf("%s: the last step is %+v", w.Title, last)
		}
	}
	steps := waterfalls(c)[0].Steps
	if steps[0].Place == nil || steps[0].Place.Line != 41 || steps[1].Kind != stepCollector ||
		steps[2].Kind != stepSmaller {
		t.Errorf("steps: %+v", steps)
	}
}

// emptyLedger is closed at the end of the test.
func emptyLedger(t *testing.T) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// storedComparison puts a comparison with its runs into a ledger.
func storedComparison(t *testing.T, contests []record.Contest, schema, label string) (*ledger.Ledger, string) {
	t.Helper()
	l := emptyLedger(t)
	c, err := l.BeginComparison(ledger.Comparison{})
	if err != nil {
		t.Fatal(err)
	}
	doc := record.Comparison{Schema: schema, ID: c.ID(), Status: ledger.Complete, Elapsed: 14 * time.Second,
		Budget: time.Minute, Blocks: 8, BlockTime: time.Second,
		Stopped: compare.StoppedDecided, Contests: contests, Looks: []judge.Look{{}}}
	if len(contests) > 0 {
		doc.Word = contests[0].Word
	}
	for i := range 2 {
		r, err := l.BeginRun(ledger.Run{Comparison: c.ID(), Variant: model.Letter(i), Label: label})
		if err != nil {
			t.Fatal(err)
		}
		doc.Runs = append(doc.Runs, r.ID())
		var slices []packed.Slice
		for k := range 40 {
			slices = append(slices, packed.Slice{
				Slice: load.Slice{Offset: time.Duration(20*k+10*i) * time.Millisecond,
					Duration: 10 * time.Millisecond, Counts: load.Counts{Answered: 100}},
				Place: packed.Place{Index: k, Block: k / 5, Pair: k, First: i == 0},
				Used:  packed.Used{CPU: time.Duration(1e6 / (1 + 9*i))}})
		}
		if err := r.AddSlices(slices); err != nil {
			t.Fatal(err)
		}
		// The second collection of A ends between two slices, the others in one each.
		line := record.Timeline{Schema: record.TimelineSchema, Run: r.ID(),
			Slices: []record.Moment{{Collections: [][]time.Duration{
				{65 * time.Millisecond, 75 * time.Millisecond}, {611 * time.Millisecond}}[i]}}}
		told, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.AddArtefact(record.TimelineArtefact, "timeline.json", bytes.NewReader(told)); err != nil {
			t.Fatal(err)
		}
		record := record.Run{Head: record.Head{Schema: record.RunSchema, ID: r.ID(), Comparison: c.ID(),
			Status: ledger.Complete,
			Label:  label}, Slices: 40, Starts: 8, RightShare: 1,
			CPUNanos: &record.Interval{Value: []float64{13_900, 1_390}[i]}}
		record.Binary.GoVersion = []string{"go1.25.5", "go1.26.8"}[i]
		text, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Finish(ledger.Complete, "", text); err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Finish(ledger.Comparison{Status: ledger.Complete, Doc: text}); err != nil {
		t.Fatal(err)
	}
	return l, c.ID()
}

// The page and the terminal have the same words and numbers.
func TestComparisonsShowTheTerminalsTexts(t *testing.T) {
	const hostile = `</script><img src=x onerror=alert(1)>`
	l, id := storedComparison(t, []record.Contest{contested()}, record.ComparisonSchema, hostile)
	lib := &Library{Stored: &stored.Library{Ledger: l}}
	p, err := lib.Comparison(id[:5])
	if err != nil {
		t.Fatal(err)
	}
	row, err := l.Comparison(id)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := lib.Stored.Comparison(id)
	if err != nil {
		t.Fatal(err)
	}
	b := &strings.Builder{}
	if err := report.Comparison(b, whole.Record, whole.Records(), model.Full); err != nil {
		t.Fatal(err)
	}
	terminal := strings.Join(strings.Fields(b.String()), " ")
	texts := []string{p.Verdicts[0].Text, p.Stopped, p.Check.Text, p.Variants[0].Label}
	for _, m := range p.Contests[0].Measures {
		texts = append(texts, m.Name, strings.Fields(m.A.Text)[0], strings.Fields(m.B.Text)[0], m.Change.Text,
			m.Interval, m.Word)
	}
	for _, f := range p.Contests[0].Findings {
		texts = append(texts, f.Word, f.Title, f.Place, f.Rule, f.Delta.Text)
	}
	if w := p.Contests[0].Waterfalls; len(w) != 2 || w[1].Steps[0].Share != "-60 %" {
		t.Errorf("waterfalls of CPU time and of the typical request: %+v", w)
	}
	if a, err := lib.Run(p.Variants[0].Run); err != nil || len(a.Numbers) == 0 || a.Numbers[0].Text != "13.9 us" ||
		strings.Contains(a.Numbers[0].Note, "us") {
		t.Errorf("the run has another figure than its comparison: %+v, %v", a.Numbers, err)
	}
	for _, s := range p.Contests[0].Waterfalls[0].Steps {
		if s.Interval != "" {
			texts = append(texts, s.Name, s.Share)
		}
	}
	for _, text := range texts {
		if !strings.Contains(terminal, strings.Join(strings.Fields(text), " ")) {
			t.Errorf("the page says %q, the terminal does not:\n%s", text, b)
		}
	}
	one := p.Contests[0]
	if len(one.Pairs) != 40 || len(one.Blocks) != 8 || math.Abs(one.Pairs[0].Change+0.9) > 1e-9 ||
		math.Abs(one.Blocks[7].Middle+0.9) > 1e-9 {
		t.Errorf("%d pairs in %d blocks: %+v", len(one.Pairs), len(one.Blocks), one.Pairs[:1])
	}
	for i, pair := range one.Pairs {
		if want := i == 3 || i == 30; pair.Collector != want { // A's slice 3 is from 60 to 70 ms, B's 30 from 610 to 620
			t.Errorf("pair %d: a collection ended in it: %v, want %v", i, pair.Collector, want)
		}
	}
	if p.Variants[1].Label != hostile || !p.Environment[0].Differs || p.Environment[0].Name != "toolchain" {
		t.Errorf("variants %+v, environment %+v", p.Variants, p.Environment[0])
	}
	turned, err := lib.Pair(row.Runs[1], row.Runs[0])
	if err != nil || turned.Kind != KindStored || turned.Variants[0].Run != row.Runs[1] ||
		turned.Contests[0].Measures[0].Change.Value < 8 {
		t.Errorf("the other way round: %+v, %v", turned, err)
	}
	same, err := lib.Pair(row.Runs[0], row.Runs[1])
	if err != nil || same.ID != id {
		t.Errorf("two runs of one comparison: %+v, %v", same, err)
	}
}

// What ended without a document has a page; a document of another schema is refused by its name.
func TestUnfinishedComparisonsHavePages(t *testing.T) {
	l, id := storedComparison(t, nil, "hone.comparison/1", "old")
	if _, err := (&Library{Stored: &stored.Library{Ledger: l}}).Comparison(id); fail.KindOf(err) != fail.Storage ||
		!strings.Contains(err.Error(), "hone.comparison/1") {
		t.Error(err)
	}
	d, err := l.BeginComparison(ledger.Comparison{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Finish(ledger.Comparison{Status: ledger.Interrupted, Reason: "interrupted"}); err != nil {
		t.Fatal(err)
	}
	p, err := (&Library{Stored: &stored.Library{Ledger: l}}).Comparison(d.ID())
	if err != nil || len(p.Verdicts) != 1 || p.Verdicts[0].Tone != model.Bad {
		t.Errorf("%+v, %v", p, err)
	}
}

// Benchmarks have the words of hone bench, which says "from none" where a ratio means nothing.
func TestBenchmarksHaveTheTerminalsTexts(t *testing.T) {
	allocs := judge.Verdict{Measure: measure.OperationAllocs, Word: judge.Slower, A: 0, B: 3, Ratio: 300, Low: 300,
		High: 300, Method: compare.Exact, Starts: 6}
	doc, err := json.Marshal(benchmarks.Result{Schema: benchmarks.Schema, Rounds: 6,
		Benchmarks: []benchmarks.Benchmark{{Package: "example.com/a", Name: "Sort",
			Verdicts: []judge.Verdict{allocs}}}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := stored.ComparisonOf(ledger.Comparison{ID: "0a1b2c3d", Status: ledger.Complete, Doc: doc})
	if err != nil {
		t.Fatal(err)
	}
	p := benchComparison(c)
	if m := p.Contests[0].Measures[0]; m.Change.Text != "from none" || m.Interval != "exact" || m.Word != "worse" ||
		m.Tone != model.Worse {
		t.Errorf("%+v", m)
	}
}
