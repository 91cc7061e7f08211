package track

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/sys/outfile"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/web"
)

// mostInSummary is how many series a page shows where there is no JavaScript.
const mostInSummary = 20

// pageOf is the page of a comparison in a ledger; nil where the ledger does not have it.
func pageOf(of *app.App, dir string, r *benchmarks.Result) ([]byte, error) {
	if r.ID == "" {
		return nil, nil
	}
	l, err := of.ReadLedger(dir)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	report, err := web.ComparisonReport(of.Library(l), r.ID)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = web.WriteReport(&b, report)
	return b.Bytes(), err
}

// WritePage writes the page of all series as index.html into a directory, which is made if it is not there, with the
// pages of the comparisons that have shown the steps.
func WritePage(ctx context.Context, dir string, h *chains.History, store series.Store) (path string, err error) {
	reports := filepath.Join(dir, page.SeriesReports)
	if err := os.MkdirAll(reports, 0o755); err != nil { //nolint:gosec // a site is for everybody
		return "", fail.New(fail.BadInput, "--html: %w", err)
	}
	for _, l := range h.Lines {
		for i, s := range l.Steps {
			if s.Report == "" {
				continue
			}
			content, err := store.Report(ctx, s.Report)
			if err != nil { // the step is shown without it
				l.Steps[i].Report = ""
				continue
			}
			if err := outfile.Write(filepath.Join(reports, s.Report), 0o644, func(w io.Writer) error {
				_, err := w.Write(content)
				return err
			}); err != nil {
				return "", err
			}
		}
	}
	r := web.Report{Title: "Performance by commit", First: "series",
		Answers: map[string]any{"series": page.SeriesOf(h)}}
	for i, l := range h.Lines {
		if i == mostInSummary {
			r.Summary = append(r.Summary, fmt.Sprintf("and %d more series", len(h.Lines)-i))
			break
		}
		r.Summary = append(r.Summary, report.SeriesSummary(l))
	}
	path = filepath.Join(dir, "index.html")
	return path, outfile.Write(path, 0o644, func(w io.Writer) error { return web.WriteReport(w, r) })
}
