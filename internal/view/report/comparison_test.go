package report

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

func TestSentence(t *testing.T) {
	shared := verdictOf(measure.CPU, judge.Faster, 13900, 0.066, 0.074)
	shared.Conf = 1 - 0.05/3
	early := verdictOf(measure.CPU, judge.Same, 500, 0, math.Inf(1)) // six starts: no interval at 95 %, but one at 90 %
	early.B, early.Ratio, early.EquivalenceLow, early.EquivalenceHigh = 498.5, 0.997, 0.992, 1.002
	for _, c := range []struct {
		v    judge.Verdict
		want string
	}{
		{verdictOf(measure.CPU, judge.Faster, 13900, 0.066, 0.074),
			"C is faster than A: CPU per request 13.9 -> 0.971 us (-93 %, 95 % interval -93.4 ... -92.6 %, 8 starts, 160 pairs)"},
		{verdictOf(measure.CPU, judge.Slower, 970, 1.9, 2.1),
			"C is slower than A: CPU per request 0.970 -> 1.94 us (+99.7 %, 95 % interval +90.0 ... +110.0 %, 8 starts, 160 pairs)"},
		{verdictOf(measure.CPU, judge.Same, 500, 0.995, 1.006),
			"C is the same as A within +-1 %: CPU per request 500 -> 500 ns (+0.05 %, 95 % interval -0.50 ... +0.60 %, 8 starts, 160 pairs)"},
		{early,
			"C is the same as A within +-1 %: CPU per request 500 -> 498 ns (-0.30 %, 90 % interval -0.80 ... +0.20 %, 8 starts, 160 pairs)"},
		{open(7)[0],
			"undecided whether C differs from A: CPU per request 500 -> 505 us (+0.97 %, 95 % interval -1.5 ... +3.5 %, 8 starts, 160 pairs)"},
		{shared,
			"C is faster than A: CPU per request 13.9 -> 0.971 us (-93 %, 98.3 % interval -93.4 ... -92.6 %, 8 starts, 160 pairs)"},
	} {
		if got := model.Sentence(c.v, "A", "C"); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestABuildAgainstItselfIsTheMachines(t *testing.T) {
	c := record.Contest{B: 1, Word: judge.Same, Equal: true,
		Verdicts: []judge.Verdict{verdictOf(measure.CPU, judge.Slower, 970, 1.01, 1.02)}}
	if got, want := model.ContestSentence(c),
		"A and B are one build, started alike: any difference is the machine's: CPU per request 970 -> 985 ns (+1.5 %"; !strings.HasPrefix(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestComparison(t *testing.T) {
	for name, s := range stories(t) {
		t.Run(name, func(t *testing.T) {
			for d, part := range map[model.Detail]string{model.Brief: "brief_", model.Full: "comparison_"} {
				var b strings.Builder
				if err := Comparison(&b, s.comparison, s.runs, d); err != nil {
					t.Fatal(err)
				}
				golden(t, filepath.Join("testdata", part+name+".txt"), b.String())
				inASCII(t, b.String())
				if d == model.Brief {
					inColumns(t, b.String())
				}
			}
		})
	}
}

// inColumns holds a text to the width of a terminal; a command is copied, and stays whole.
func inColumns(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if len(line) > width+1 && !strings.HasPrefix(line, "next: ") {
			t.Errorf("%d columns: %s", len(line)-1, line)
		}
	}
}

func inASCII(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		if r > '~' || r < ' ' && r != '\n' {
			t.Errorf("%q is not plain ASCII", r)
		}
	}
}

// An open question must not look like an answer.
func TestWhatIsUndecidedNeverReadsLikeAPass(t *testing.T) {
	for name, s := range stories(t) {
		if !strings.HasPrefix(name, "undecided") && name != "three_gates" && name != "gates" && name != "indicative" {
			continue
		}
		var b strings.Builder
		if err := Comparison(&b, s.comparison, s.runs, model.Full); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if !strings.Contains(text, "undecided whether") || !strings.Contains(text, "no verdict yet: ") {
			t.Errorf("%s does not say that it is not a pass:\n%s", name, text)
		}
	}
}

// A bad measurement is said instead of any verdict, before any number.
func TestInvalidComparisonShowsNoNumbers(t *testing.T) {
	s := stories(t)["invalid"]
	var b strings.Builder
	if err := Comparison(&b, s.comparison, s.runs, model.Full); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.HasPrefix(text,
		"no verdict (invalid): B: replies withheld: 10 of 10 connections\nA: ") {
		t.Errorf("does not begin with the reason:\n%s", text)
	}
	for _, word := range []string{"faster", "slower", "->", "measurement ok"} {
		if strings.Contains(b.String(), word) {
			t.Errorf("%q in a report without a verdict:\n%s", word, b.String())
		}
	}
}

// A comparison that crashed has a row in the ledger and nothing else.
func TestAComparisonWithoutADocument(t *testing.T) {
	c := &record.Comparison{ID: "cc00ffee", Status: ledger.Crashed, Reason: "hone ended without closing it"}
	for _, runs := range [][]record.Run{nil, runsOf("./a")} {
		var b strings.Builder
		if err := Comparison(&b, c, runs, model.Full); err != nil {
			t.Fatal(err)
		}
		if text := b.String(); !strings.HasPrefix(text, "no verdict (crashed): hone ended") ||
			!strings.Contains(text, "hone show cc00ffee") {
			t.Errorf("%s", text)
		}
	}
}

func TestStillNeeded(t *testing.T) {
	all := stories(t)
	for name, want := range map[string]*model.Missing{
		"faster":                 nil,
		"same":                   nil,
		"no_change":              nil,
		"undecided":              {More: 50 * time.Second, Budget: 110 * time.Second},
		"undecided_two_starts":   {More: 11 * time.Second, Budget: 15 * time.Second},
		"undecided_out_of_reach": {OutOfReach: true},
		"three":                  {More: 50 * time.Second, Budget: 110 * time.Second},
		// though p99 was not observed
		"gates": {More: 80 * time.Second, Budget: 140 * time.Second},
		// whatever the verdict needs
		"gates_settled": nil,
		"indicative":    nil,
	} {
		got := model.StillNeeded(all[name].comparison)
		if (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
		if hint := model.Hint(all[name].comparison); (hint == "") != (want == nil && name != "indicative") {
			t.Errorf("%s: hint %q", name, hint)
		}
	}
}

func TestMemoryGetsNoFaster(t *testing.T) {
	for _, c := range []struct {
		m    judge.Measure
		word judge.Word
		want string
	}{
		{measure.Allocs, judge.Faster, "less"}, {measure.PeakRSS, judge.Slower, "more"},
		{measure.PeakRSS, judge.Same, "same"},
		{measure.CPU, judge.Faster, "faster"}, {measure.Throughput, judge.Slower, "slower"},
		{judge.Measure{Unit: "hits", Better: judge.Higher}, judge.Faster, "more"},
	} {
		if got := model.MeasureOf(verdictOf(c.m, c.word, 1, 0.9, 0.95)).Word; got != c.want {
			t.Errorf("%s %s: %q, want %q", c.m.Name, c.word, got, c.want)
		}
	}
}

// A comparison that went on for what users feel says when that was settled.
func TestWhenAnOpenLoopEnded(t *testing.T) {
	c := comparisonOf(compare.StoppedDecided, []judge.Verdict{verdictOf(measure.CPU, judge.Slower, 500_000, 1.05,
		1.06)})
	c.Looks = make([]judge.Look, 3)
	if got := model.Stopped(c); !strings.HasSuffix(got, ": difference shown at look 3") {
		t.Errorf("%q", got)
	}
	c.Looks = make([]judge.Look, 9)
	if got := model.Stopped(c); !strings.HasSuffix(got,
		": difference shown at look 3, throughput and latency by look 9") {
		t.Errorf("%q", got)
	}
}

// A confirmation may run over the budget. The report does not show that as a fault.
func TestAConfirmationBeyondTheBudget(t *testing.T) {
	c := comparisonOf(compare.StoppedDecided, faster())
	c.FirstStage, c.Budget = 6, 9100*time.Millisecond
	const want = "stopped after 14 s: the first 6 starts showed a difference, which was measured again over 2 more; that may take more than the budget of 9.1 s"
	if got := model.Stopped(c); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestWithoutAnIntervalNoneIsPrinted(t *testing.T) {
	v := tooFew()[0]
	text := model.Sentence(v, "A", "B") + strings.Join(model.MeasureOf(v).Cells.All(), " ")
	if strings.Contains(text, "Inf") || strings.Contains(text, "-100") || !strings.Contains(text, "no interval") {
		t.Errorf("%s", text)
	}
	if v.High != math.Inf(1) {
		t.Fatal("the story has an interval")
	}
}

// What users feel stands in the sentence, where it is shown at a share of the level and beyond
// the tolerance; and a variant of which only the CPU time is the same is not called the same.
func TestTheSentenceSaysWhatUsersFeel(t *testing.T) {
	p99 := verdictOf(judge.Measure{Key: "p99", Name: "p99 latency", Unit: "ns", Better: judge.Lower,
		Level: judge.Pooled, Quantile: 0.99},
		judge.Slower, 2e6, 1.8, 2.1)
	p99.Level, p99.P = 0.05, 0.002
	same := verdictOf(measure.CPU, judge.Same, 500_000, 0.995, 1.006)
	sentence := func(v ...judge.Verdict) string { return model.ContestSentence(record.Contest{B: 1, Verdicts: v}) }
	if text := sentence(same, p99); !strings.HasPrefix(text,
		"B takes as much CPU as A within +-1 %: CPU per request ") ||
		!strings.HasSuffix(text, "; p99 latency +94.4 % (+80.0 ... +110.0 %)") {
		t.Errorf("p99 is slower: %s", text)
	}
	weak := p99
	weak.P = 0.03 // shown at the level of one measure, not of three
	small := p99
	small.Ratio, small.Low, small.High = 1.005, 1.002, 1.008
	small.B = small.LedTo(small.B)
	for name, v := range map[string]judge.Verdict{"a weak change": weak, "a change within the tolerance": small} {
		if text := sentence(same, v); !strings.HasPrefix(text, "B is the same as A within +-1 %: ") ||
			strings.Contains(text, "p99") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if text := sentence(verdictOf(measure.CPU, judge.Faster, 13900, 0.066, 0.074), p99); !strings.HasPrefix(text,
		"B is faster than A: ") ||
		!strings.Contains(text, "; p99 latency +94.4 %") {
		t.Errorf("faster by CPU, slower at p99: %s", text)
	}
}
