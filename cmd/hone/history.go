package main

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/cmd/hone/internal/track"
	conduct "github.com/gohone/hone/internal/conduct/track"
	"github.com/gohone/hone/internal/spec"
	hist "github.com/gohone/hone/internal/store/history" // a test helper of this package is called history
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/text/fail"
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
	if f.Track.Post != "" && !f.Track.New {
		return fail.New(fail.BadInput, "--post sends what is new").WithHint("hone history --new --post URL")
	}
	if f.Bench.Pattern != "" || f.Track.New || f.Track.HTML != "" {
		return a.seriesHistory(f)
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

// seriesHistory shows the series that hone track keeps.
func (a *commands) seriesHistory(f *historyFlags) error {
	name, err := regexp.Compile(f.Bench.Pattern)
	if err != nil {
		return fail.New(fail.BadInput, "--bench %q: %w", f.Bench.Pattern, err)
	}
	dir, err := app.WorkDir()
	if err != nil {
		return err
	}
	store, err := series.Open(a.Ctx, f.Track.Store, dir)
	if err != nil {
		return err
	}
	content, err := store.Read(a.Ctx)
	if err != nil {
		return err
	}
	accepted, err := track.Accepted(dir)
	if err != nil {
		return err
	}
	gone, err := conduct.Gone(a.Ctx, dir, content.Points)
	if err != nil {
		return err
	}
	options := chains.Options{Gone: gone}
	steps := chains.StepOptions{Accepted: accepted, Now: time.Now()}
	q := chains.Query{Name: name, Measure: f.History.Measure, Branch: f.Track.Branch}
	if f.Track.New {
		news, err := chains.NewsOf(store.String(), content, q, options, steps)
		if err != nil {
			return err
		}
		return a.tellNews(f, news, track.Owners(dir))
	}
	h, err := chains.HistoryOf(store.String(), content, q, options, steps)
	if err != nil {
		return err
	}
	if f.Track.HTML != "" {
		path, err := track.WritePage(a.Ctx, f.Track.HTML, h, store)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(a.Stdout, "wrote %s: %d series\n", path, len(h.Lines))
		return err
	}
	return a.Print(f.JSON, h, func(w io.Writer) error { return report.Series(w, h, f.Shown) })
}

// tellNews prints what is new, and sends it to a webhook, if one is named.
func (a *commands) tellNews(f *historyFlags, news *chains.News, owners func(chains.Key) []string) error {
	var text strings.Builder
	if err := report.News(&text, news, owners); err != nil {
		return err
	}
	err := a.Print(f.JSON, news, func(w io.Writer) error {
		_, err := io.WriteString(w, text.String())
		return err
	})
	if f.Track.Post == "" {
		return err
	}
	return cmp.Or(track.Post(a.Ctx, f.Track.Post, news, text.String()), err)
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
