package main

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gohone/hone/internal/judge/measure"
	hist "github.com/gohone/hone/internal/store/history" // a test helper of this package is called history
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/stored"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
)

// agree LEDGER reads the newest comparison of a ledger with every command that has figures of its runs, and wants
// each figure to be the same everywhere: in the documents, the lists, the history of each measure, the comparison of
// stored runs, the texts and the profiles.
func agree(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: agree LEDGER")
	}
	dir := ts.MkAbs(args[0])
	l, err := ledger.Open(dir)
	ts.Check(err)
	defer l.Close()
	comparisons, err := l.Comparisons(1)
	ts.Check(err)
	c, err := (&stored.Library{Ledger: l}).Comparison(comparisons[0].ID)
	ts.Check(err)
	contest := c.Record.Contests[0]
	for side, run := range c.Runs {
		a := agreement{ts, dir, run.Row.ID}
		a.document(run.Record)
		for _, v := range contest.Verdicts {
			value := []float64{v.A, v.B}[side]
			a.history(v.Measure, value)
			a.texts(v, side)
		}
		a.profiles(l, run.Record)
	}
	storedAgree(ts, dir, c)
}

// agreement is one run whose figures are compared.
type agreement struct {
	*testscript.TestScript
	ledger, run string
}

// same wants a figure of one place to be that of another.
func (a agreement) same(what, where string, got, want float64) {
	if math.Abs(got-want) > 1e-9*math.Abs(want) {
		a.Fatalf("run %s: %s is %v in %s, and %v in its comparison", a.run, what, got, where, want)
	}
}

// hone executes a command on the ledger and returns its output.
func (a agreement) hone(args ...string) string {
	a.Check(a.Exec("hone", append(args, "--ledger", a.ledger)...))
	return a.ReadFile("stdout")
}

// document compares the document of hone show --json with what the ledger lists.
func (a agreement) document(r record.Run) {
	var shown struct {
		CPU record.Interval `json:"cpu_ns_per_request"`
		Hot []prof.Cost     `json:"hot"`
	}
	a.Check(json.Unmarshal([]byte(a.hone("show", a.run, "--json")), &shown))
	a.same("CPU per request", "hone show --json", shown.CPU.Value, r.CPUNanos.Value)
	for _, hot := range shown.Hot {
		a.same("the cost of "+hot.What, "hot of hone show --json", hot.PerRequest, hot.Share/100*r.CPUNanos.Value)
	}
	if shown.CPU.Conf > 0 && (shown.CPU.Low > shown.CPU.Value || shown.CPU.High < shown.CPU.Value) {
		a.Fatalf("run %s: the interval %v ... %v does not hold %v", a.run, shown.CPU.Low, shown.CPU.High,
			shown.CPU.Value)
	}
}

// history compares hone history of a measure with the comparison.
func (a agreement) history(m judge.Measure, want float64) {
	var h hist.History
	a.Check(json.Unmarshal([]byte(a.hone("history", "--measure", m.Key, "--json")), &h))
	for _, s := range h.Series {
		for _, e := range s.Entries {
			if e.ID == a.run && e.Measure != nil {
				a.same(m.Name, "hone history", e.Measure.Value, want)
				return
			}
		}
	}
	if want > m.Floor {
		a.Fatalf("run %s: hone history does not know %s, which is %v in its comparison", a.run, m.Name, want)
	}
}

// texts wants the figure of the comparison's table in the line of a run: of hone show, and of CPU time in hone history.
func (a agreement) texts(v judge.Verdict, side int) {
	if v.Measure.Key != measure.CPU.Key {
		return
	}
	text := model.MeasureOf(v).A.Text
	if side == 1 {
		text = model.MeasureOf(v).B.Text
	}
	for _, command := range [][]string{{"show", a.run}, {"history"}} {
		if out := a.hone(command...); !strings.Contains(out, text) {
			a.Fatalf("run %s: hone %s does not say %s:\n%s", a.run, strings.Join(command, " "), text, out)
		}
	}
}

// profiles wants the CPU profile of the run to add up to its CPU time.
func (a agreement) profiles(l *ledger.Ledger, r record.Run) {
	lib := &page.Library{Stored: &stored.Library{Ledger: l}}
	p, err := lib.Profile(a.run, "cpu", "")
	a.Check(err)
	sum := 0.0
	for i, t := range p.Packed.Types {
		if t.Name != "cpu" {
			continue
		}
		for _, value := range p.Packed.Self[i] {
			sum += float64(value)
		}
	}
	if got, want := sum/p.Requests, r.CPUNanos.Value; math.Abs(got/want-1) > 0.01 { // a clock has whole nanoseconds
		a.Fatalf("run %s: its flame graph adds up to %v ns a request, and the run to %v", a.run, got, want)
	}
}

// storedAgree wants a comparison of the stored runs, at another level so that it is worked out again, to have the
// figures of the runs.
func storedAgree(ts *testscript.TestScript, dir string, c *stored.Comparison) {
	a := agreement{ts, dir, c.Runs[0].Row.ID}
	var again hist.Stored
	a.Check(json.Unmarshal([]byte(a.hone("compare", c.Runs[0].Row.ID, c.Runs[1].Row.ID, "--set", "alpha=0.1",
		"--json")),
		&again))
	for _, v := range again.Verdicts {
		for _, first := range c.Record.Contests[0].Verdicts {
			if first.Measure.Key == v.Measure.Key {
				a.same(v.Measure.Name, "hone compare RUN RUN", v.A, first.A)
				a.same(v.Measure.Name+" of B", "hone compare RUN RUN", v.B, first.B)
			}
		}
	}
	if len(again.Verdicts) == 0 {
		ts.Fatalf("hone compare says nothing of the stored runs")
	}
	line, _, _ := strings.Cut(a.hone("profile", "diff", c.Runs[0].Row.ID, c.Runs[1].Row.ID), "\n")
	said, cpu := regexp.MustCompile(`A ([0-9.]+) ([num]s), B ([0-9.]+) ([num]s)`).FindStringSubmatch(line),
		c.Record.Contests[0].Verdicts[0]
	if said == nil {
		ts.Fatalf("hone profile diff says nothing of CPU time: %s", line)
	}
	for i, want := range []float64{cpu.A, cpu.B} {
		number, err := time.ParseDuration(said[1+2*i] + said[2+2*i])
		a.Check(err)
		if math.Abs(float64(number)/want-1) > 0.02 { // it has three digits, and whole nanoseconds
			ts.Fatalf("hone profile diff says %v of what the comparison says %.0f ns: %s", number, want, line)
		}
	}
}
