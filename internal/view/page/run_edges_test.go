package page

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/stored"
	"github.com/gohone/hone/prof"
)

// page makes a page and checks what holds for all of them.
func pageOf(t *testing.T, l *ledger.Ledger, id string) *Run {
	t.Helper()
	r, err := (&Library{Stored: &stored.Library{Ledger: l}}).Run(id)
	if err != nil {
		t.Fatal(err)
	}
	text := string(marshal(t, r))
	for _, list := range []string{"under", "numbers", "findings", "environment", "profiles", "artefacts", "commands"} {
		if !strings.Contains(text, fmt.Sprintf("%q: [", list)) {
			t.Errorf("%s is not a list in\n%s", list, text)
		}
	}
	if r.Check.Text == "" || r.Check.Tone == "" || r.Title == "" || r.Schema != Schema ||
		strings.HasSuffix(r.Check.Text, ": ") {
		t.Errorf("head %+v, check %+v", r.Head, r.Check)
	}
	if line := r.Timeline; line != nil {
		for i := 1; i < len(line.Seconds); i++ {
			if line.Seconds[i] <= line.Seconds[i-1] {
				t.Errorf("time goes back from %v to %v", line.Seconds[i-1], line.Seconds[i])
			}
		}
		for _, s := range line.Series {
			if len(s.Values) != len(line.Seconds) {
				t.Errorf("%s has %d values for %d moments", s.Name, len(s.Values), len(line.Seconds))
			}
		}
	}
	if m := r.HeatMap; m != nil {
		if len(m.Seconds) != len(m.Counts)+1 {
			t.Errorf("%d bounds of %d columns", len(m.Seconds), len(m.Counts))
		}
		for _, c := range m.Counts {
			if len(c) != len(m.Bounds)-1 {
				t.Errorf("a column of %d rows between %d bounds", len(c), len(m.Bounds))
			}
		}
	}
	return r
}

func TestEveryRunHasAPage(t *testing.T) {
	for name, c := range map[string]struct {
		status ledger.Status
		reason string
		doc    any
		kind   Kind
		tone   model.Tone
		check  string
	}{
		"interrupted": {ledger.Interrupted, "interrupted", nil, KindRun, model.Bad,
			"measurement interrupted: interrupted"},
		"invalid": {ledger.Invalid, "too few answers", nil, KindRun, model.Bad,
			"measurement INVALID: too few answers"},
		"older": {ledger.Complete, "", map[string]any{"schema": record.RunSchema, "status": "complete",
			"label": "./x"}, KindRun, model.Good, "measurement ok"},
		"kept": {ledger.Complete, "", nil, KindRun, model.Neutral, "nothing else was measured"},
		"captured": {ledger.Complete, "", record.Captured{Head: record.Head{Schema: record.CaptureSchema,
			Status: ledger.Complete}, Captures: []record.KindSummary{{Kind: "cpu", Times: 2, Ticks: 40}}}, KindRun,
			model.Neutral, "nothing else was measured"},
		"once": {ledger.Complete, "", onceDocument(3), KindOnce, model.Good,
			"every execution ended with exit code 0"},
		"once failed": {ledger.Partial, "exit code 3", onceFailed(), KindOnce, model.Bad,
			"measurement partial: exit code 3"},
	} {
		t.Run(name, func(t *testing.T) {
			l := testLedger(t)
			id := store(t, l, ledger.Run{Label: "./x"}, c.status, c.reason, c.doc, nil, nil)
			r := pageOf(t, l, id)
			if r.Kind != c.kind || r.Check.Tone != c.tone || !strings.Contains(r.Check.Text, c.check) ||
				r.Latency != nil || r.HeatMap != nil || r.Status != string(c.status) {
				t.Errorf("%s, %s: %+v", r.Kind, r.Status, r.Check)
			}
		})
	}
}

func onceDocument(n int) record.Executions {
	r := record.Executions{Head: record.Head{Schema: record.ExecutionsSchema, Status: ledger.Complete, Label: "./x"},
		Output: record.ExecutionsOutput{Stdout: 5}}
	for i := range n {
		r.Executions = append(r.Executions, record.Execution{Spent: usage.Spent{User: time.Duration(i+
			1) * time.Millisecond, Real: 5 * time.Millisecond}})
	}
	r.Facts = record.FactsOf(r.Executions)
	return r
}

func onceFailed() record.Executions {
	r := onceDocument(1)
	r.Status, r.Reason, r.Facts, r.Executions[0].Failure = ledger.Partial, "exit code 3", nil, "exit code 3"
	return r
}

func TestARunThatGoesOnHasAPage(t *testing.T) {
	l := testLedger(t)
	d, err := l.BeginRun(ledger.Run{Label: "./x"})
	if err != nil {
		t.Fatal(err)
	}
	if r := pageOf(t, l, d.ID()); r.Status != "running" || r.Check.Tone != model.Neutral ||
		r.Check.Text != "measurement running" || r.Elapsed != "" {
		t.Errorf("%s: %+v", r.Status, r.Check)
	}
}

func TestNoSuchRun(t *testing.T) {
	if _, err := (&Library{Stored: &stored.Library{Ledger: testLedger(t)}}).Run("ffff"); fail.KindOf(err) != fail.BadInput {
		t.Errorf("%v", err)
	}
}

func TestADocumentOfANewerHoneIsRefused(t *testing.T) {
	l := testLedger(t)
	id := store(t, l, ledger.Run{Label: "./x"}, ledger.Complete, "", map[string]any{"schema": "hone.run/9"}, nil, nil)
	if _, err := (&Library{Stored: &stored.Library{Ledger: l}}).Run(id); fail.KindOf(err) != fail.Storage ||
		!strings.Contains(err.Error(), "hone.run/9") {
		t.Errorf("%v", err)
	}
}

// A damaged part costs its picture, not the page.
func TestDamageIsSaid(t *testing.T) {
	l, all := testLedger(t), slicesOf(t, 1, 3)
	all[1].Service = "damaged"
	doc := richRecord(t, slicesOf(t, 1, 3))
	id := store(t, l, ledger.Run{Label: "./x"}, ledger.Complete, "", doc, all,
		map[string]any{record.TimelineArtefact: map[string]string{"schema": "hone.timeline/9"}})
	r := pageOf(t, l, id)
	said := 0
	for _, n := range r.Check.Notes {
		if n.Tone == model.Bad && strings.HasPrefix(n.Text, "damaged: ") {
			said++
		}
	}
	if said != 2 || r.Latency == nil || r.Latency.Count != doc.Latency.Count || len(r.Latency.Marks) != 5 {
		t.Errorf("%d parts are said to be damaged: %+v", said, r.Check.Notes)
	}
}

func TestNoSliceIsLost(t *testing.T) {
	for _, c := range []struct{ starts, each int }{{1, 1}, {1, 3}, {1, 1000}, {7, 90}} {
		l, all := testLedger(t), slicesOf(t, c.starts, c.each)
		doc := richRecord(t, all[:1])
		r := pageOf(t, l, store(t, l, ledger.Run{Label: "./x"}, ledger.Complete, "", doc, all, nil))
		if n := len(r.Timeline.Seconds); n > timelinePoints+2*c.starts || n > len(all)+c.starts-1 {
			t.Errorf("%d starts of %d slices: %d moments", c.starts, c.each, n)
		}
		if n := len(r.HeatMap.Counts); n > heatColumns+2*c.starts || len(r.HeatMap.Bounds) > heatRows+1 {
			t.Errorf("%d starts of %d slices: %d columns of %d rows", c.starts, c.each, n, len(r.HeatMap.Bounds)-1)
		}
		answers, starts, ends := uint64(0), 0, 0
		for _, column := range r.HeatMap.Counts {
			for _, n := range column {
				answers += n
			}
		}
		for _, m := range r.Timeline.Marks {
			if m.Kind == "start" {
				starts++
			}
		}
		for _, v := range r.Timeline.Series[0].Values {
			if v == nil {
				ends++
			} else if math.Abs(*v-10_000) > 1e-6 {
				t.Errorf("%v answers per second of slices with 1000 in 100 ms", *v)
			}
		}
		if want := uint64(1000 * len(all)); answers != want {
			t.Errorf("%d answers on the heat map, want %d", answers, want)
		}
		if ends != c.starts-1 || starts != c.starts && c.starts > 1 {
			t.Errorf("%d marks of %d starts, %d ends of lines", starts, c.starts, ends)
		}
	}
}

// The curve is the distribution that the marks are of.
func TestCurveAgreesWithItsMarks(t *testing.T) {
	l, all := testLedger(t), slicesOf(t, 1, 20)
	r := pageOf(t, l, store(t, l, ledger.Run{Label: "./x"}, ledger.Complete, "", richRecord(t, all), all, nil))
	c := r.Latency
	if len(c.Percentiles) != curvePoints || len(c.Nanos) != curvePoints || c.Percentiles[0] != 0 || c.Count != 20_000 {
		t.Fatalf("%d points of %d answers from p%v", len(c.Percentiles), c.Count, c.Percentiles[0])
	}
	if end := c.Percentiles[curvePoints-1]; math.Abs(end-100*(1-1.0/20_000)) > 1e-6 {
		t.Errorf("the curve ends at p%v", end)
	}
	for _, m := range c.Marks[:len(c.Marks)-1] {
		var p float64
		if _, err := fmt.Sscanf(m.Name, "p%g", &p); err != nil {
			t.Fatal(err)
		}
		for i := 1; i < curvePoints; i++ {
			if c.Nanos[i] < c.Nanos[i-1] || c.Percentiles[i] <= c.Percentiles[i-1] {
				t.Fatalf("the curve falls at p%v", c.Percentiles[i])
			}
			if c.Percentiles[i-1] <= p && p < c.Percentiles[i] && (m.Nanos < c.Nanos[i-1] || m.Nanos > c.Nanos[i]) {
				t.Errorf("%s is %v on no point between %v and %v", m.Name, m.Nanos, c.Nanos[i-1], c.Nanos[i])
			}
		}
	}
}

func TestSnippetAround(t *testing.T) {
	lines := make([]string, 20)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d", i+1)
	}
	source := files{"/src/m/x.go": strings.Join(lines, "\n") + "\n"}
	around := func(source prof.Sources, file string, line int64) *model.Snippet {
		return model.FindingOf(1, advice.Finding{Place: code.Place{Function: "f", File: file, Line: line}},
			source).Source
	}
	for _, c := range []struct{ line, first, n int64 }{{1, 1, 7}, {10, 4, 13}, {20, 14, 7}} {
		s := around(source, "/src/m/x.go", c.line)
		if s == nil || s.First != c.first || int64(len(s.Lines)) != c.n ||
			s.Lines[c.line-s.First] != fmt.Sprintf("line %d", c.line) || s.File != "m/x.go" {
			t.Errorf("around %d: %+v", c.line, s)
		}
	}
	for _, s := range []*model.Snippet{around(source, "/src/m/x.go", 21), around(source, "/src/m/x.go", 0),
		around(source, "/etc/passwd", 1), around(nil, "/src/m/x.go", 1)} {
		if s != nil {
			t.Errorf("%+v", s)
		}
	}
}

// The bars are as long as the latencies that they stand for, also where a document keeps the largest parts only.
func TestTimeBarsAddUp(t *testing.T) {
	r, _ := richRun(t)
	if len(r.Times) != 2 || len(r.Causes) == 0 || r.Times[1].Parts[0].Place == nil && r.Times[1].Parts[1].Place == nil {
		t.Fatalf("%+v, %+v", r.Times, r.Causes)
	}
	for _, bar := range r.Times {
		sum, share := 0.0, 0.0
		for _, p := range bar.Parts {
			sum, share = sum+p.Nanos, share+p.Share
		}
		if math.Abs(sum-bar.Latency.Value) > 1 || math.Abs(share-1) > 1e-6 {
			t.Errorf("%s: parts add up to %v of %v", bar.Cohort, sum, bar.Latency.Value)
		}
	}
}
