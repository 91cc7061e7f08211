package report

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/loadtests"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

// ofStored is a command about what is in the ledger, to its end.
var ofStored = regexp.MustCompile("hone (show|history|tail|advise|profile|tune|export) [^,(;`\n]*")

// Commands that a report prints about stored runs find the ledger that the measurement named.
func TestPrintedCommandsNameTheLedger(t *testing.T) {
	line := spec.Line{"run", "./x", "--ledger=elsewhere"}
	runs := runsOf("A", "B")
	for i := range runs {
		runs[i].Command, runs[i].Profiles = line, []string{"cpu"}
	}
	one := onceRecord([]record.Execution{{}})
	one.Command, one.Profiles = line, []string{"cpu"}
	c := comparisonOf(compare.StoppedBudget, []judge.Verdict{{Measure: measure.CPU, Word: judge.Same, Ratio: 1, Low: 1,
		High: 1}})
	round := &tuning.Round{Comparison: "cc00ffee", Outcome: &record.Outcome{Comparison: c, Runs: runs}}
	for name, write := range map[string]func(w io.Writer) error{
		"run":        func(w io.Writer) error { return Run(w, runs[0], nil, model.Full) },
		"executions": func(w io.Writer) error { return Once(w, one, nil) },
		"load": func(w io.Writer) error {
			return writeLoad(w, closedLoad(t), loadtests.Document{ID: "aa00bb11", Command: line}, model.Full)
		},
		"comparison": func(w io.Writer) error { return Comparison(w, c, runs, model.Full) },
		"markdown":   func(w io.Writer) error { return Markdown(w, c, runs) },
		"ablation": func(w io.Writer) error {
			return Ablation(w, &tuning.Ablation{Round: round,
				Features: []tuning.Feature{{Name: "cache", Run: "b1b2c3d1"}}})
		},
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text := strings.ReplaceAll(b.String(), "\n      ", " ") // a line that was wrapped
		found := ofStored.FindAllString(text, -1)
		if len(found) == 0 {
			t.Errorf("%s: no commands in\n%s", name, text)
		}
		for _, command := range found {
			if !strings.Contains(command, "--ledger elsewhere") {
				t.Errorf("%s: %q loses the ledger", name, command)
			}
		}
	}
}
