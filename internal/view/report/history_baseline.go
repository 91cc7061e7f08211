package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/model/lists"
)

// PinnedRun is a baseline with its run.
type PinnedRun struct {
	ledger.Baseline
	Of ledger.Run `json:"of"` // without its document
}

// Baselines writes the pinned runs, one line each.
func Baselines(w io.Writer, all []PinnedRun) error {
	all = printable.Document(all)
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, "no baselines: hone baseline set RUN pins one; hone history lists the runs")
		return err
	}
	b, t := &strings.Builder{}, &grid{}
	t.row("baseline", "run", "started", "commit", "variant", "pinned", "note")
	for _, p := range all {
		t.row(p.Name, p.Run, p.Of.Started.Local().Format(timeLayout),
			lists.ShortVersion(history.Entry{Run: p.Of}.Version()),
			p.Of.Label, p.At.Local().Format(timeLayout), p.Note)
	}
	t.write(b)
	return write(w, b)
}

// BaselineChange says what was done to a baseline.
func BaselineChange(w io.Writer, done string, b ledger.Baseline) error {
	done, b = printable.Document(done), printable.Document(b)
	_, err := fmt.Fprintf(w, "%s: baseline %s is run %s\n", done, b.Name, b.Run)
	if done == "cleared" {
		return err
	}
	if err == nil {
		_, err = fmt.Fprintf(w, "next: hone history --measure cpu, or hone compare %s RUN\n", baselineName(b.Name))
	}
	return err
}

// baselineName is how a baseline is typed as the name of a run.
func baselineName(name string) string {
	if name == ledger.DefaultBaseline {
		return "baseline"
	}
	return "baseline:" + name
}
