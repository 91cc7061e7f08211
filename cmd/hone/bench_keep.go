package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/view/model/bench"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/stored"
)

// benchKeeping is the comparison of a hone bench in the ledger. Where that is not possible the measurement goes on
// without, and progress hears a warning once. What an open ledger, or a full disk, could not keep is an error at the
// end.
type benchKeeping struct {
	open     func() (*ledger.Ledger, error)
	progress progress.Sink
	draft    *ledger.ComparisonDraft // nil: not begun, or nothing is kept
	lost     bool
	failed   error // why an open ledger, or a full disk, has not kept it
}

// begin stores the comparison as running, and gives its name to the result.
func (k *benchKeeping) begin(r *benchmarks.Result) {
	if k.lost || k.draft != nil {
		return
	}
	if err := k.tryBegin(r); err != nil {
		k.lose(err)
	}
}

func (k *benchKeeping) tryBegin(r *benchmarks.Result) error {
	doc, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode comparison of benchmarks: %w", err)
	}
	l, err := k.open()
	if err != nil {
		return err
	}
	if k.draft, err = l.BeginComparison(ledger.Comparison{Started: r.Started, Doc: doc}); err != nil {
		return err
	}
	r.ID = k.draft.ID()
	progress.Tell(k.progress, r.ID)
	return nil
}

// end stores the result. err is what ended the measurement early. The error says that the ledger has no record of it.
func (k *benchKeeping) end(r *benchmarks.Result, err error) error {
	k.begin(r) // where nothing came to rounds
	if k.lost {
		return k.failed
	}
	doc, encoding := json.Marshal(r)
	if encoding != nil {
		r.ID = ""
		return fmt.Errorf("encode comparison of benchmarks: %w", encoding)
	}
	status, reason := benchStatus(r, err)
	stored := ledger.Comparison{Status: status, Reason: reason, Word: bench.Word(r),
		Sentence: bench.Sentence(r), Doc: doc}
	if err := k.draft.Finish(stored); err != nil {
		r.ID = ""
		return err
	}
	return nil
}

// latestComparisons is how many of the latest comparisons are searched for what benchmarks scattered.
const latestComparisons = 20

// earlier are the comparisons of benchmarks among the latest ones. A ledger that cannot be read has none: nothing that
// is measured rests on it.
func (k *benchKeeping) earlier() (all []*benchmarks.Result) {
	l, err := k.open()
	if err != nil {
		return nil
	}
	rows, err := l.Comparisons(latestComparisons)
	if err != nil {
		return nil
	}
	for _, row := range rows {
		r := &benchmarks.Result{}
		if row.Status == ledger.Complete && json.Unmarshal(row.Doc, r) == nil && r.Schema == benchmarks.Schema {
			all = append(all, r)
		}
	}
	return all
}

func (k *benchKeeping) lose(err error) {
	k.lost = true
	if k.draft != nil || errors.Is(err, ledger.ErrFull) {
		k.failed = err
	}
	k.progress.Warn(fmt.Sprintf("note: this comparison is not kept in the ledger: %v\n"+
		"      --ledger names another directory", err))
}

// benchStatus is the state of a comparison that ended so, and the reason in words.
func benchStatus(r *benchmarks.Result, err error) (ledger.Status, string) {
	if err == nil && len(r.Benchmarks) == 0 && len(r.Failures) > 0 {
		return ledger.Partial, bench.Sentence(r)
	}
	return statusOf(err)
}

// statusOf is the state of a measurement that ended with an error or without, and the reason in words.
func statusOf(err error) (ledger.Status, string) {
	var known *fail.Error
	switch {
	case err == nil:
		return ledger.Complete, ""
	case errors.As(err, &known) && known.Kind == fail.Interrupted:
		return ledger.Interrupted, redact.Text(known.Err.Error())
	default:
		return ledger.Partial, redact.Text(err.Error())
	}
}

// showBench writes a comparison of benchmarks as it was printed when it ended.
func (a *commands) showBench(f *app.MeasureFlags, c *stored.Comparison) error {
	r := c.Bench
	if err := app.KeepComparisonCSV(f.CSV, bench.ComparisonOf(r)); err != nil {
		return err
	}
	switch {
	case f.JSON:
		return a.PrintJSON(r)
	case r.Stopped == "":
		return report.BenchUnfinished(a.Stdout, r, c.Row.Status, c.Row.Reason)
	case f.Markdown:
		return report.BenchMarkdown(a.Stdout, r)
	}
	return report.Bench(a.Stdout, r)
}
