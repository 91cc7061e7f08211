package fix

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/tune"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/rewrite"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/report"
)

// One is hone advise --try: it tries one finding of a run, and with --apply writes its rewrite into the tree if it
// pays. The ledger must not be open. f has its directory, the budget and what completes the run's request.
func One(a *app.App, f *app.MeasureFlags, cmd *cobra.Command, name string) error {
	c, err := oneOf(a, f.Ledger, name, f.Advise.Finding)
	if err != nil {
		return err
	}
	if !cmd.Flags().Changed("budget") {
		f.Budget = spec.DefaultBudget
	}
	_, workDir, err := a.Again(f, cmd, name)
	if err != nil {
		return err
	}
	if _, err := c.Change(a.Ctx, nil); err != nil {
		return err
	}
	var found *tuning.Rewritten
	keep := func(found *tuning.Rewritten, change *rewrite.Change) error {
		if f.Advise.Apply {
			return found.Apply(change)
		}
		return nil
	}
	err = a.InLab(f, workDir, func(l *lab.Lab) error {
		return tune.Fixing{By: tune.Trial{Lab: l, Task: f.Task}, Budget: f.Task.Budget, Progress: l.Progress, Keep: keep,
			Tried: func(one *tuning.Rewritten) { found = one }}.Fix(a.Ctx, []*tune.Candidate{c})
	}, nil)
	switch {
	case found == nil || err != nil:
		return err
	case found.Why != nil:
		return found.Why
	}
	return cmp.Or(a.Print(f.JSON, found, func(w io.Writer) error { return report.Rewritten(w, found) }),
		refusal(found, f.Advise.Apply))
}

// refusal is the error of a rewrite that answers differently, and of one that is to be written and does not pay.
func refusal(found *tuning.Rewritten, apply bool) error {
	switch {
	case found.Different != "":
		return fail.New(fail.Invalid, "the rewritten program answers differently: nothing is proven").
			WithHint("if only bodies differ by nature, such as by time or chance, measure the run with --set answers.volatile")
	case apply && !found.Pays():
		return fail.New(fail.Undecided,
			"nothing is written: the patch was not shown to pay").WithHint("a larger --budget shows smaller gains")
	}
	return nil
}

// oneOf is the finding of a stored run that is meant: its number, or its rule.
func oneOf(a *app.App, dir, name, which string) (c *tune.Candidate, err error) {
	l, err := a.ReadLedger(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	found, run, err := findingsOf(a.Library(l).Stored, name)
	if err != nil {
		return nil, err
	}
	number, notNumber := strconv.Atoi(which)
	i := number - 1
	if notNumber != nil {
		i = slices.IndexFunc(found, func(f advice.Finding) bool { return f.Rule == which })
	}
	if i < 0 || i >= len(found) {
		return nil, fail.New(fail.BadInput, "--try %s: run %s has no such finding, of %s", which, run.ID,
			units.Plural(len(found), "finding")).WithHint("hone advise %s lists them", run.ID)
	}
	return Candidate(i+1, found[i], run)
}
