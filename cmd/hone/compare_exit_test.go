package main

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

// compared is a complete comparison of A with a variant for each word.
func compared(words ...judge.Word) *record.Comparison {
	c := &record.Comparison{
		ID: "cc00ffee", Status: ledger.Complete, Word: words[0],
		Budget: 10 * time.Second, Blocks: 5, BlockTime: 2 * time.Second,
	}
	for i, word := range words {
		v := judge.Verdict{Measure: measure.CPU, Word: word, A: 1, B: 1, Ratio: 1, Low: 0.99, High: 1.04, Starts: 5,
			Delta: 0.01}
		if word == judge.Undecided {
			v.Need = &judge.Need{Starts: 3, Factor: 1.6}
		}
		c.Contests = append(c.Contests, record.Contest{B: i + 1, Word: word, Verdicts: []judge.Verdict{v}})
	}
	return c
}

// gated adds gates with these outcomes.
func gated(c *record.Comparison, outcomes ...gate.Outcome) *record.Comparison {
	texts := map[gate.Outcome]string{gate.Passed: "cpu<+9%", gate.Failed: "cpu<-5%", gate.Open: "cpu<+2%"}
	for _, outcome := range outcomes {
		g, err := gate.Parse(texts[outcome])
		if err != nil {
			panic(err)
		}
		c.Gates = append(c.Gates, gate.Result{Gate: g, Variant: "B", Outcome: outcome,
			Reason: "change -1.0 ... +4.0 %"})
	}
	return c
}

func TestExitOf(t *testing.T) {
	const pass = 0
	regression, open, invalid := int(fail.Regression), int(fail.Undecided), int(fail.Invalid)
	ended := func(status ledger.Status, word judge.Word) *record.Comparison {
		c := compared(word)
		c.Status = status
		return c
	}
	const P, F, O = gate.Passed, gate.Failed, gate.Open
	for name, c := range map[string]struct {
		record *record.Comparison
		code   int
		text   string
		hint   string
	}{
		"faster":                {compared(judge.Faster), pass, "", ""},
		"slower without a gate": {compared(judge.Slower), pass, "", ""},
		"same":                  {compared(judge.Same), pass, "", ""},
		"undecided": {compared(judge.Undecided), open,
			"undecided, which is not a pass: whether B differs from A",
			"about 10 s more would decide it: --budget 20s"},
		"one of two undecided": {compared(judge.Faster, judge.Undecided), open, "whether C differs from A",
			"--budget"},
		"faster at less work": {lessWork(compared(judge.Faster)), open,
			"not a pass: whether B is faster than A at the same work (it writes 97 % fewer bytes to files)",
			"--set answers.may-differ"},
		"slower at less work": {lessWork(compared(judge.Slower)), pass, "", ""},
		"an unknown word":     {compared("quicker"), open, "not a pass", "--budget"},
		"no contest": {&record.Comparison{ID: "cc00ffee", Status: ledger.Complete}, invalid,
			"nothing was compared", "hone show cc00ffee"},
		"invalid": {compared(judge.Invalid), invalid, "nothing was compared",
			"hone show cc00ffee"},
		"invalid run": {gated(ended(ledger.Invalid, judge.Faster), P), invalid,
			"nothing was compared", ""},
		"interrupted": {gated(ended(ledger.Interrupted, judge.Invalid), P), invalid,
			"nothing was compared", ""},
		"passed":                        {gated(compared(judge.Faster), P), pass, "", ""},
		"passed, slower":                {gated(compared(judge.Slower), P), pass, "", ""},
		"passed, though the verdict is": {gated(compared(judge.Undecided), P, P), pass, "", ""},
		"failed": {gated(compared(judge.Slower), F), regression,
			"regression: cpu<-5% (change -1.0 ... +4.0 %)", "hone show cc00ffee"},
		"failed, though faster": {gated(compared(judge.Faster), F), regression, "cpu<-5%", ""},
		"failed and passed":     {gated(compared(judge.Slower), P, F), regression, "cpu<-5%", ""},
		"failed and open":       {gated(compared(judge.Slower), O, F, P), regression, "cpu<-5%", ""},
		"open": {gated(compared(judge.Faster), O), open,
			"not a pass: cpu<+2% (change -1.0 ... +4.0 %)", "--budget"},
		"open and passed":    {gated(compared(judge.Faster), P, O), open, "cpu<+2%", "--budget"},
		"an unknown outcome": {gated(compared(judge.Faster), gate.Passed), open, "not a pass", ""},
	} {
		if name == "an unknown outcome" {
			c.record.Gates[0].Outcome = "fine"
		}
		err := app.ExitOf(c.record)
		if code := fail.ExitCode(err); code != c.code {
			t.Errorf("%s: exit code %d (%v), want %d", name, code, err, c.code)
			continue
		}
		if err != nil && (!strings.Contains(err.Error(), c.text) || !strings.Contains(fail.HintOf(err), c.hint) ||
			fail.HintOf(err) == "") {
			t.Errorf("%s:\n%v\nhint: %s\nwant %q, %q", name, err, fail.HintOf(err), c.text, c.hint)
		}
	}
}

// lessWork has B do less than A besides answering.
func lessWork(c *record.Comparison) *record.Comparison {
	c.Contests[0].Caveats = []record.Caveat{{Name: record.CaveatWrites, Text: "it writes 97 % fewer bytes to files",
		Open: true}, {Name: record.CaveatReads, Text: "it reads less"}}
	return c
}

// Where a verdict has no interval the hint says how many starts are missing.
func TestExitOfTooFewStarts(t *testing.T) {
	c := compared(judge.Undecided)
	c.Contests[0].Verdicts[0].High = math.Inf(1)
	c.Contests[0].Verdicts[0].Need = &judge.Need{Starts: 4, Factor: 3}
	if hint := fail.HintOf(app.ExitOf(c)); hint != "about 10 s more would decide it: --budget 20s" {
		t.Errorf("hint %q", hint)
	}
}

// For the user a gate that fails stands for one question, however many measures there are.
func TestExitNamesEveryFailedGateOnce(t *testing.T) {
	c := gated(compared(judge.Slower), gate.Failed, gate.Failed)
	if text := app.ExitOf(c).Error(); strings.Count(text, "cpu<-5%") != 1 {
		t.Errorf("%s", text)
	}
}
