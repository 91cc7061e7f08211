package main

import (
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/spf13/cobra"

	hist "github.com/gohone/hone/internal/store/history" // a test helper of this package is called history
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/view/report"
)

// historyFlags are what hone history is asked for.
type historyFlags struct {
	measureFlags
	measure      string
	filter       ledger.RunFilter
	status       []string
	since, until string
	number       int
}

func (a *app) historyCommand() *cobra.Command {
	f := &historyFlags{}
	cmd := &cobra.Command{
		Use:   "history [--measure NAME]",
		Short: "List the runs and comparisons, or one measure by commit with its change points",
		Long: `history lists the runs and comparisons of the ledger, newest last. With --measure it
prints one measure, run by run: its change since the commit before and since the pinned
baseline. A marked line shows a lasting change. Each table holds the runs of one package,
plan, variant and machine. Runs that are not complete are shown, and do not count.`,
		Example: `  hone history --package cmd/server --since 2w
  hone history --measure p99 --until 2026-11-01 -n 20`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.history(f) },
	}
	f.addOutput(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.measure, "measure", "", "print this measure by commit: cpu, rate, p50, p90, p99, p99.9, allocs, bytes, reads, writes, rss, resident")
	fl.StringVar(&f.filter.Package, "package", "", "runs of this package: its import path or the end of it")
	fl.StringVar(&f.filter.Label, "variant", "", "runs of this variant, as it was typed")
	fl.StringVar(&f.filter.Label, "label", "", "the same as --variant")
	fl.StringVar(&f.filter.Commit, "commit", "", "runs of this commit; its first characters are enough")
	fl.StringVar(&f.filter.Target, "target", "", "runs under this target, as it was typed")
	fl.StringSliceVar(&f.status, "status", nil, "runs in this state: complete, partial, invalid, interrupted, crashed, running (repeatable)")
	fl.StringVar(&f.since, "since", "", "runs started since an age or a date: 2w, 3d, 12h, 2026-11-01")
	fl.StringVar(&f.until, "until", "", "runs started until then; a date includes the whole day")
	fl.IntVarP(&f.number, "number", "n", 50, "show the newest N (with --measure: of each table); 0 shows all")
	return cmd
}

func (a *app) history(f *historyFlags) error {
	if err := f.resolve(time.Now()); err != nil {
		return err
	}
	l, err := a.readLedger(f.Ledger)
	if err != nil {
		return err
	}
	defer l.Close()
	if err := hist.CheckFilter(l, f.filter); err != nil {
		return err
	}
	if f.measure == "" {
		return a.listHistory(f, l)
	}
	// The permutations of the test are the same each time: so is its answer.
	rng := rand.New(rand.NewPCG(1, 2))
	h, err := hist.Read(l, hist.Query{Measure: f.measure, Filter: f.filter, Number: f.number}, rng)
	if err != nil {
		return err
	}
	return a.print(f.JSON, h, func(w io.Writer) error { return report.MeasureHistory(w, h) })
}

// resolve turns words into the filter.
func (f *historyFlags) resolve(now time.Time) (err error) {
	if f.filter.Status, err = hist.ParseStatus(f.status); err != nil {
		return err
	}
	f.filter.Since, f.filter.Until, err = hist.ParsePeriod(f.since, f.until, now)
	return err
}

func (a *app) listHistory(f *historyFlags, l *ledger.Ledger) error {
	listed := f.filter
	listed.Limit = f.number
	runs, err := l.Runs(listed)
	if err != nil {
		return err
	}
	comparisons, err := l.Comparisons(f.number)
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
	return a.print(f.JSON, struct {
		Schema      string              `json:"schema"`
		Runs        []ledger.Run        `json:"runs"`
		Comparisons []ledger.Comparison `json:"comparisons"`
		Baselines   []ledger.Baseline   `json:"baselines,omitempty"`
	}{hist.Schema, runs, comparisons, baselines}, func(w io.Writer) error { return report.History(w, runs, comparisons, baselines) })
}

// holdsAny says whether a comparison has one of the runs.
func holdsAny(c ledger.Comparison, runs []ledger.Run) bool {
	return slices.ContainsFunc(runs, func(r ledger.Run) bool { return slices.Contains(c.Runs, r.ID) })
}
