package report

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/load"
)

func runText(t *testing.T, write func(b *strings.Builder) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A measurement of which most slices were disturbed is not called ok.
func TestAMeasurementThatIsMostlyDisturbedIsNotOK(t *testing.T) {
	for noticeable, want := range map[int]string{0: "measurement ok: ", 80: "measurement ok: ",
		107: "measurement valid, but DISTURBED: "} {
		runs := runsOf("./a", "./b")
		for i := range runs {
			runs[i].Conditions = machine.Summary{Slices: 160, Noticeable: noticeable}
		}
		c := comparisonOf("", faster())
		for name, text := range map[string]string{
			"run":        runText(t, func(b *strings.Builder) error { return Run(b, runs[0], nil, model.Full) }),
			"comparison": runText(t, func(b *strings.Builder) error { return Comparison(b, c, runs, model.Full) }),
			"markdown":   runText(t, func(b *strings.Builder) error { return Markdown(b, c, runs) }),
		} {
			if !strings.Contains(text, want) || noticeable > 0 &&
				!strings.Contains(text, "the machine was busy during ") {
				t.Errorf("%s, %d of 160 slices disturbed: no %q:\n%s", name, noticeable, want, text)
			}
			if strings.Contains(text, "measurement ok") == (noticeable > 80) {
				t.Errorf("%s, %d of 160 slices disturbed:\n%s", name, noticeable, text)
			}
		}
	}
}

// The account is printed where something is off, and by hone show always.
func TestTheAccountIsSaidWhenSomethingIsOff(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*record.Run)
		off   bool
		want  string
	}{
		"nothing": {func(*record.Run) {}, false, "120,000 sent, all answered (warm-up"},
		"failed": {func(r *record.Run) { r.Counts.Failed, r.Counts.Answered = 1, r.Counts.Answered-1 }, true,
			"120,000 sent, 119,999 answered, 1 failed ("},
		"unanswered": {func(r *record.Run) { r.Counts.Unanswered, r.Counts.Answered = 1, r.Counts.Answered-1 }, true,
			"120,000 sent, 119,999 answered, 1 without an answer ("},
		"withheld": {func(r *record.Run) { r.Counts.Unanswered, r.Counts.Answered = r.Counts.Sent, 0 }, true,
			"120,000 sent, none answered ("},
		"unsent": {func(r *record.Run) { r.Counts.Unsent, r.Counts.Scheduled = 1, r.Counts.Scheduled+1 }, true,
			"120,001 scheduled, 1 not sent; 120,000 sent, all answered ("},
		"stray": {func(r *record.Run) { r.Counts.Stray = 2 }, true,
			"120,000 sent, all answered; 2 replies belong to no request ("},
		"unbalanced": {func(r *record.Run) { r.Counts.Answered-- }, true,
			"120,000 sent, 119,999 answered; account: sent 120000 != answered 119999 + failed 0 + unanswered 0 ("},
	} {
		runs := runsOf("./a", "./b")
		c.spoil(&runs[1])
		comparison := comparisonOf("", faster())
		const line = "requests: 120,00"
		if got := strings.Contains(runText(t, func(b *strings.Builder) error {
			return Run(b, runs[1], nil, model.Brief)
		}), line); got != c.off {
			t.Errorf("%s: hone run prints the account: %v, want %v", name, got, c.off)
		}
		if got := strings.Contains(runText(t, func(b *strings.Builder) error {
			return Comparison(b, comparison, runs, model.Brief)
		}), "B: "+line); got != c.off {
			t.Errorf("%s: hone compare prints the account: %v, want %v", name, got, c.off)
		}
		if got := strings.Contains(runText(t, func(b *strings.Builder) error { return Markdown(b, comparison, runs) }),
			"- B: "+line); got != c.off {
			t.Errorf("%s: the comment prints the account: %v, want %v", name, got, c.off)
		}
		shown := runText(t, func(b *strings.Builder) error { return Comparison(b, comparison, runs, model.Full) })
		if !strings.Contains(runText(t, func(b *strings.Builder) error { return Run(b, runs[1], nil, model.Full) }),
			line) || strings.Count(shown, line) != 2 {
			t.Errorf("%s: hone show lacks the account", name)
		}
		if !strings.Contains(shown, "B: requests: "+c.want) {
			t.Errorf("%s: no %q:\n%s", name, c.want, shown)
		}
	}
}

// An error by status names the statuses.
func TestWrongStatusesAreNamed(t *testing.T) {
	r := runsOf("./a")[0]
	r.Counts.Failed, r.Counts.Answered = 4400, r.Counts.Answered-4400
	r.Counts.WrongStatuses.Add(500, 100)
	r.Counts.WrongStatuses.Add(404, 4300)
	r.Counts.Causes[load.WrongStatus] = 4400
	r.Causes = map[string]uint64{"wrong status": 4400}
	text := runText(t, func(b *strings.Builder) error { return Run(b, r, nil, model.Full) })
	if want := "error: wrong status: 4,400 (404: 4,300; 500: 100)\n"; !strings.Contains(text, want) {
		t.Errorf("no %q:\n%s", want, text)
	}
}

// The error that a program failed to start is on standard error; the end of the run does not repeat it, and hone show
// has all.
func TestAReasonOfSeveralLinesIsSaidOnce(t *testing.T) {
	r := runsOf("./a")[0]
	r.Status, r.Reason = "partial", "program A ended before it was ready: exit code 7; it wrote:\nboom"
	if text := runText(t, func(b *strings.Builder) error { return Run(b, r, nil, model.Brief) }); strings.Contains(text,
		"boom") || strings.Contains(text, "exit code 7") {
		t.Errorf("%s", text)
	}
	if text := runText(t, func(b *strings.Builder) error { return Run(b, r, nil, model.Full) }); !strings.Contains(text,
		"boom") {
		t.Errorf("%s", text)
	}
}

// A report can be read by those who see hone for the first time.
func TestReportsExplainTheirWords(t *testing.T) {
	runs := runsOf("./a", "./b")
	text := runText(t, func(b *strings.Builder) error {
		return Comparison(b, comparisonOf("", faster()), runs, model.Full)
	})
	for _, want := range []string{"1 request at a time (depth 1)", "slices of 50ms (short parts of the load)",
		"the load generator on CPU 1", "A against itself: no difference", "hone help words"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q:\n%s", want, text)
		}
	}
	for _, word := range []string{"subject", "A/A"} {
		if strings.Contains(text, word) {
			t.Errorf("%q in\n%s", word, text)
		}
	}
}
