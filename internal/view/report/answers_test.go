package report

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/answers"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

// A variant that answers otherwise is nowhere plainly faster: not in the text, not in the
// headline of a comment.
func TestOtherAnswersStandInTheSentence(t *testing.T) {
	faster := []judge.Verdict{verdictOf(measure.CPU, judge.Faster, 13900, 0.066, 0.074)}
	c := comparisonOf(compare.StoppedDecided, faster)
	runs := runsOf("./a", "./b")
	write := func() (text, markdown string) {
		t.Helper()
		var a, b strings.Builder
		if err := Comparison(&a, c, runs, model.Full); err != nil {
			t.Fatal(err)
		}
		if err := Markdown(&b, c, runs); err != nil {
			t.Fatal(err)
		}
		return a.String(), b.String()
	}
	has := func(what, text string, lines ...string) {
		t.Helper()
		for _, line := range lines {
			if !strings.Contains(text, line) {
				t.Errorf("%s lacks %q:\n%s", what, line, text)
			}
		}
	}
	text, markdown := write()
	if strings.Contains(text+markdown, "answers:") {
		t.Errorf("answers that were not sampled are mentioned:\n%s", text)
	}
	c.Contests[0].Answers = &answers.Agreement{Same: true, Compared: 1234, Requests: 3}
	text, markdown = write()
	has("the text", text, "\nanswers: same (1,234 compared, 0 differ)\n")
	has("the comment", markdown, "\n- answers: same (1,234 compared, 0 differ)\n")
	c.Contests[0].Answers = &answers.Agreement{Compared: 100, Requests: 3, Differences: []answers.Difference{
		{Kind: answers.Shorter, Count: 41, Share: 0.41, Example: "GET /: 416 bytes, now 208 bytes"},
		{Kind: answers.Status, Count: 12, Share: 0.12},
	}}
	const how = "41 % shorter, 12 % other status"
	text, markdown = write()
	has("the text", text, "160 pairs); but its answers differ ("+how+")\n",
		"\nwarning: B's answers differ: "+how+"; first: GET /: 416 bytes, now 208 bytes\n")
	has("the comment", strings.SplitN(markdown, "\n", 2)[0], "B is faster than A; but its answers differ")
	has("the comment", markdown, "- warning: B's answers differ: "+how)

	c.Contests[0].Answers = &answers.Agreement{Same: true, Compared: 10, Requests: 1}
	c.Contests[0].Caveats = []record.Caveat{
		{Name: record.CaveatLater, Text: "it works on after its answers", Detail: "12 us between its slices"},
		{Name: record.CaveatClosed, Text: "it closes connections", Detail: "30 during the slices, A 0"},
	}
	text, markdown = write()
	has("the text", text,
		"160 pairs); but it works on after its answers (12 us between its slices), and it closes connections (30 during the slices, A 0)\n")
	has("the comment", strings.SplitN(markdown, "\n", 2)[0],
		"B is faster than A; but it works on after its answers, and it closes connections")
	c.Contests[0].Word = judge.Slower
	if text, _ = write(); strings.Contains(text, "but it") {
		t.Errorf("a slower variant has a but:\n%s", text)
	}
}

// What became of a large gain in its check has a line, and a small one has none.
func TestLargeGains(t *testing.T) {
	part := func(ratio float64) *record.GainPart { return &record.GainPart{Ratio: ratio, Low: ratio, High: ratio} }
	const note = "note: "
	for what, c := range map[string]struct {
		change   float64
		requests int
		gain     *record.GainCheck
		want     []string
		not      []string
	}{
		"small":       {-0.2, 1, nil, nil, []string{note, "checked without"}},
		"not checked": {-0.5, 1, nil, nil, []string{note, "checked without"}},
		"varied":      {-0.5, 7, nil, nil, []string{note, "checked without"}},
		"stays": {-0.5, 1, &record.GainCheck{Unseen: part(0.51), Varied: part(0.52), By: "another query"},
			[]string{"checked without hone's instrumentation: B needs 51 % (51 ... 51 %) of A's CPU time, " +
				"and 52 % (52 ... 52 %) where each request has another query\n"}, []string{note}},
		"cannot be varied": {-0.5, 1, &record.GainCheck{Unseen: part(0.51)},
			[]string{"B needs 51 % (51 ... 51 %) of A's CPU time\n"}, []string{note}},
		"is not repeated": {-0.5, 7, &record.GainCheck{Unseen: part(0.51)}, []string{"B needs 51 %"}, []string{note}},
		"fails": {-0.5, 1, &record.GainCheck{Open: "it is gone"},
			[]string{"note: the gain was not checked to the end: it is gone\n"}, nil},
	} {
		v := verdictOf(measure.CPU, judge.Faster, 13900, 0, 0)
		v.Ratio, v.Low, v.High = 1+c.change, 1+c.change-0.01, 1+c.change+0.01
		v.B = v.LedTo(v.B)
		doc := comparisonOf(compare.StoppedDecided, []judge.Verdict{v})
		doc.Contests[0].Answers, doc.Contests[0].Gain = &answers.Agreement{Same: true, Compared: 10,
			Requests: c.requests}, c.gain
		var b strings.Builder
		if err := Comparison(&b, doc, runsOf("./a", "./b"), model.Full); err != nil {
			t.Fatal(err)
		}
		for _, text := range c.want {
			if !strings.Contains(b.String(), text) {
				t.Errorf("%s: lacks %q:\n%s", what, text, b.String())
			}
		}
		for _, text := range c.not {
			if strings.Contains(b.String(), text) {
				t.Errorf("%s: has %q:\n%s", what, text, b.String())
			}
		}
	}
}
