package report

import (
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
)

// executions took so many milliseconds of real time, half of it user time.
func executions(milliseconds ...int) []record.Execution {
	var all []record.Execution
	for i, ms := range milliseconds {
		d := time.Duration(ms) * time.Millisecond
		all = append(all, record.Execution{Round: i, Spent: usage.Spent{
			User: d / 2, System: d / 10, Real: d, MaxResident: 84_200_000, Voluntary: 12, Involuntary: 3,
			MinorFaults: 20_123,
		}})
	}
	return all
}

func onceRecord(all []record.Execution) record.Executions {
	r := record.Executions{
		Head: record.Head{
			Schema: record.ExecutionsSchema, ID: "a1b2c3d0", Status: ledger.Complete, Label: "./prog -fast",
			Args: []string{"input"}, Dir: "/home/g",
		},
		Executions: all, Facts: record.FactsOf(all),
		Output: record.ExecutionsOutput{Stdout: 20, Stderr: 2_000_000, StderrDropped: 1_900_000},
	}
	r.Binary.GoVersion, r.Binary.Commit, r.Binary.Dirty = "go1.26.8", "8c2f00d1aa99ee", true
	r.Environment.Description = machine.Description{CPUs: 2}
	return r
}

// text is what a report writes.
func onceText(t *testing.T, r record.Executions) string {
	t.Helper()
	b := &strings.Builder{}
	if err := Once(b, r, nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func wantLines(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+text, "\n"+line+"\n") {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
}

func TestOneExecution(t *testing.T) {
	r := onceRecord(executions(1950))
	r.Profiled = &record.ProfiledExecution{Spent: r.Executions[0].Spent, CPUShare: 0.62, Passes: 7}
	r.Profiles = []string{"cpu"}
	r.Hot = []prof.Cost{{Site: prof.Site{What: "main.work", File: "/x/prog/main.go", Line: 13}, Share: 72}}
	text := onceText(t, r)
	wantLines(t, text,
		"./prog -fast input  (8c2f00d1aa+changes, go1.26.8, run a1b2c3d0)",
		"under: no load; 1 execution to the end, on 2 CPUs, in /home/g",
		"measurement ok: it ended with exit code 0",
		"user 975 ms  system 195 ms  real 1.95 s  max resident 84.2 MB",
		"CPU 1.17 s, which is 60 % of one CPU all the time; switches: 12 voluntary, 3 involuntary; page faults: 20,123 minor, 0 major",
		"wrote 20 bytes to stdout, 2.00 MB (100 kB kept) to stderr",
		"profiles: of one more execution (1.17 s CPU, real 1.95 s); the CPU profile saw 62 % of its CPU time",
		"hot: 72 % of CPU in main.work  prog/main.go:13",
	)
	if strings.Contains(text, "median") {
		t.Errorf("one execution has no median:\n%s", text)
	}
}

func TestSeveralExecutions(t *testing.T) {
	wantLines(t, onceText(t, onceRecord(executions(1000, 2000, 3000))),
		"measurement ok: every execution ended with exit code 0",
		"user 1.00 s  system 200 ms  real 2.00 s  max resident 84.2 MB  (medians of 3 executions)",
		"real          2.00 s   takes 6 executions  1.00 ... 3.00 s")
	if text := onceText(t, onceRecord(executions(10, 11, 12, 13, 14, 15, 16))); !strings.Contains(text,
		"10.0 ... 16.0 ms") || strings.Contains(text, "takes 6") {
		t.Errorf("no interval of seven executions:\n%s", text)
	}
}

// A failed execution is said before any number, and what it took is called so.
func TestFailedExecution(t *testing.T) {
	r := onceRecord(executions(100))
	r.Executions[0].Failure, r.Facts = "prog ended with exit code 7", nil
	r.Status, r.Reason = ledger.Partial, r.Executions[0].Failure
	text := onceText(t, r)
	wantLines(t, text, "measurement partial: prog ended with exit code 7",
		"user 50.0 ms  system 10.0 ms  real 100 ms  max resident 84.2 MB  (until it ended)")
	if strings.Index(text, "exit code 7") > strings.Index(text, "user 50.0") {
		t.Errorf("the failure comes after the numbers:\n%s", text)
	}
	r.Executions = nil
	if text := onceText(t, r); strings.Contains(text, "user ") {
		t.Errorf("numbers of no execution:\n%s", text)
	}
}

func TestBoundedPeak(t *testing.T) {
	all := executions(1)
	all[0].MaxResident, all[0].AtMost = 15_000_000, true
	if text := onceText(t, onceRecord(all)); !strings.Contains(text, "max resident at most 15.0 MB") {
		t.Error(text)
	}
	all[0].MaxResident = 0
	if text := onceText(t, onceRecord(all)); !strings.Contains(text, "max resident not known") {
		t.Error(text)
	}
}

func TestComparedExecutions(t *testing.T) {
	a, b := onceRecord(executions(100, 110)), onceRecord(executions(50, 55))
	b.ID, b.Label = "b1b2c3d1", "./prog"
	a.Warnings, b.Warnings = []string{"both", "only A"}, []string{"both"}
	c := &record.Comparison{
		ID: "cc00ffee", Status: ledger.Complete, Budget: time.Minute, Blocks: 8, BlockTime: time.Second,
		Stopped: compare.StoppedDecided,
		Looks:   []judge.Look{{Blocks: 8, Used: 0.2}}, Word: judge.Faster,
		Contests: []record.Contest{{B: 1, Word: judge.Faster, Verdicts: []judge.Verdict{
			verdictOf(measure.ExecutionCPU, judge.Faster, 60e6, 0.48, 0.52),
			verdictOf(measure.ExecutionResident, judge.Faster, 80e6, 0.4, 0.6),
		}, Why: &diff.Explanation{Total: -50, Explained: -20, Unexplained: -30, Changes: []diff.Change{
			{Site: prof.Site{What: "main.work", Function: "main.work"}, A: 30e6, B: 6e6, Delta: -24e6, Share: -40},
			{Site: prof.Site{What: "main.other", Function: "main.other"}, B: 12e6, Delta: 12e6, Share: 20},
		}}}},
	}
	w := &strings.Builder{}
	if err := OnceComparison(w, c, []record.Executions{a, b}, model.Full); err != nil {
		t.Fatal(err)
	}
	wantLines(t, w.String(),
		"A: ./prog -fast  (8c2f00d1aa+changes, go1.26.8, run a1b2c3d0)",
		"under: no load; one execution of each in turn, to the end, all with input, on 2 CPUs, in /home/g",
		"B is faster than A: CPU per execution 60.0 -> 30.0 ms (-50 %, 95 % interval -52.0 ... -48.0 %, 8 starts)",
		"stopped after 8.0 s of 60 s: difference shown at look 3",
		"measurement ok: every execution ended with exit code 0",
		"note: both", "note: A: only A",
		"why: main.work takes less: -24.0 of -30.0 ms (-40 %)", "but: main.other is new: +12.0 ms (+20 %)",
		"B: user 26.2 ms  system 5.25 ms  real 52.5 ms  max resident 84.2 MB  (2 executions)",
	)
	if !strings.Contains(w.String(), "less\n") || strings.Contains(w.String(), "request") {
		t.Errorf("memory gets less, and there are no requests:\n%s", w)
	}
	c.Status, c.Word, c.Contests[0] = ledger.Interrupted, judge.Invalid, record.Contest{B: 1, Word: judge.Invalid}
	w.Reset()
	if err := OnceComparison(w, c, []record.Executions{a, b}, model.Full); err != nil {
		t.Fatal(err)
	}
	if text := w.String(); !strings.HasPrefix(text, "no verdict (interrupted)") || strings.Contains(text, "faster") ||
		strings.Contains(text, "measurement ok") {
		t.Errorf("a verdict of nothing:\n%s", text)
	}
}
