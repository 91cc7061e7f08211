package main

import (
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/cmd/hone/internal/track"
	"github.com/gohone/hone/internal/spec"
	hist "github.com/gohone/hone/internal/store/history" // a test helper of this package is called history
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/stored"
)

// historyFlags are what hone history is asked for.
type historyFlags struct {
	spec.Spec
	filter ledger.RunFilter
}

func (a *commands) historyCommand() *cobra.Command {
	f := &historyFlags{}
	cmd := &cobra.Command{
		Use:   "history [--measure NAME | --bench REGEXP]",
		Short: "List runs and comparisons, or show one measure commit by commit",
		Long: `history lists the runs and comparisons of the ledger, newest last. With --measure it
prints one measure, run by run: its change from the run that was measured together with it,
and from the pinned baseline, which was measured at another time. A marked line shows a
lasting change. Each table holds the runs of one package, plan, variant and machine. Runs
that are not complete are shown, and do not count.

With --bench it shows the series of these benchmarks or services that hone track keeps: the newest value against the first one, the
steps with their commits and authors, and up to three series commit by commit.
hone bisect --all --every 20 v1.0 PACKAGE measures commits of the past, and finds those that changed it.`,
		Example: `  hone history --package cmd/server --since 2w
  hone history --measure p99 --until 2026-11-01 -n 20
  hone history --measure 'allocs(main.handle)'
  hone history --new                         # steps that the last tracked commit has shown, as Markdown
  hone history --html site                   # a page of all series, for GitHub Pages
  hone history --bench Parse                 # what hone track keeps of these benchmarks`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.history(f) },
	}
	app.AddOptions(cmd, spec.ForHistory, &f.Spec)
	return cmd
}

func (a *commands) history(f *historyFlags) error {
	if err := f.resolve(time.Now()); err != nil {
		return err
	}
	if err := track.CheckNews(f.Spec); err != nil {
		return err
	}
	if f.Bench.Pattern != "" || f.Track.New || f.Track.HTML != "" {
		return track.History(a.App, f.Spec)
	}
	l, err := a.ReadLedger(f.Ledger)
	if err != nil {
		return err
	}
	defer l.Close()
	if err := hist.CheckFilter(l, f.filter); err != nil {
		return err
	}
	if f.CSV != "" {
		return f.writeCSV(l)
	}
	if f.History.Measure == "" {
		return a.listHistory(f, l)
	}
	// The permutations of the test are the same each time: so is its answer.
	rng := rand.New(rand.NewPCG(1, 2))
	h, err := hist.Read(stored.WithFunctions{Ledger: l, Library: a.Library(l).Stored},
		hist.Query{Measure: f.History.Measure, Filter: f.filter, Number: f.Shown}, rng)
	if err != nil {
		return err
	}
	return a.Print(f.JSON, h, func(w io.Writer) error { return report.MeasureHistory(w, h) })
}

// resolve turns words into the filter.
func (f *historyFlags) resolve(now time.Time) (err error) {
	of := f.History
	f.filter = ledger.RunFilter{Package: of.Package, Label: of.Variant, Commit: of.Commit, Target: of.Target}
	if f.filter.Status, err = hist.ParseStatus(of.Status); err != nil {
		return err
	}
	f.filter.Since, f.filter.Until, err = hist.ParsePeriod(of.Since, of.Until, now)
	return err
}

// writeCSV writes the measures of the runs, oldest first: those of one measure, or all.
func (f *historyFlags) writeCSV(l *ledger.Ledger) error {
	listed := f.filter
	listed.Limit = f.Shown
	runs, err := l.Runs(listed)
	if err != nil {
		return err
	}
	slices.Reverse(runs)
	of := func(run string) ([]ledger.MeasureValue, error) {
		all, err := l.Measures(run)
		return slices.DeleteFunc(all, func(m ledger.MeasureValue) bool {
			return f.History.Measure != "" && m.Name != f.History.Measure
		}), err
	}
	return app.WriteFile(f.CSV, func(w io.Writer) error { return report.RunsCSV(w, runs, of) })
}

func (a *commands) listHistory(f *historyFlags, l *ledger.Ledger) error {
	listed := f.filter
	listed.Limit = f.Shown
	runs, err := l.Runs(listed)
	if err != nil {
		return err
	}
	comparisons, err := l.Comparisons(f.Shown)
	if err != nil {
		return err
	}
	if !f.filter.IsZero() {
		comparisons = slices.DeleteFunc(comparisons, func(c ledger.Comparison) bool { return !holdsAny(c, runs) })
	}
	baselines, err := l.Baselines()
	if err != nil {
		return err
	}
	return a.Print(f.JSON, struct {
		Schema      string              `json:"schema"`
		Runs        []ledger.Run        `json:"runs"`
		Comparisons []ledger.Comparison `json:"comparisons"`
		Baselines   []ledger.Baseline   `json:"baselines,omitempty"`
	}{hist.Schema, runs, comparisons, baselines}, func(w io.Writer) error {
		return report.History(w, runs, comparisons, baselines)
	})
}

// holdsAny says whether a comparison has one of the runs.
func holdsAny(c ledger.Comparison, runs []ledger.Run) bool {
	return slices.ContainsFunc(runs, func(r ledger.Run) bool { return slices.Contains(c.Runs, r.ID) })
}
