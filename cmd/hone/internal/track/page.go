package track

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/sys/outfile"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/web"
)

// mostInSummary is how many series a reader without JavaScript sees.
const mostInSummary = 20

// pageOf is the page of a comparison in the ledger at a directory.
func pageOf(of *app.App, dir, id string) ([]byte, error) {
	l, err := of.ReadLedger(dir)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	report, err := web.ComparisonReport(of.Library(l), id)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = web.WriteReport(&b, report)
	return b.Bytes(), err
}

// writePage writes the page of series as index.html into a directory, which is made if it is not there, with the pages
// of the comparisons that have shown the steps. n is how many series it has.
func (k kept) writePage(ctx context.Context, dir string, q chains.Query) (path string, n int, err error) {
	h, err := k.history(ctx, q)
	if err != nil {
		return "", 0, err
	}
	path, err = k.write(ctx, dir, h)
	return path, len(h.Lines), err
}

func (k kept) write(ctx context.Context, dir string, h *chains.History) (path string, err error) {
	reports := filepath.Join(dir, page.SeriesReports)
	if err := os.MkdirAll(reports, 0o755); err != nil { //nolint:gosec // a site is for everybody
		return "", fail.New(fail.BadInput, "--html: %w", err)
	}
	if err := writeReports(ctx, reports, h, k.store); err != nil {
		return "", err
	}
	r := web.Report{Title: "Performance by commit", First: "series",
		Answers: map[string]any{"series": k.page(ctx, h)}}
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

// writeReports writes the pages of comparisons into a directory. One comparison may have shown the steps of many
// benchmarks, and a branch is fetched for each read: so each page is read once. A step whose page cannot be read is
// shown without it.
func writeReports(ctx context.Context, dir string, h *chains.History, store series.Store) error {
	there := map[string]bool{}
	for _, l := range h.Lines {
		for i := range l.Steps {
			name := l.Steps[i].Report
			if name == "" {
				continue
			}
			if _, tried := there[name]; !tried {
				content, err := store.Report(ctx, name)
				if there[name] = err == nil; there[name] {
					err = outfile.Write(filepath.Join(dir, name), 0o644, func(w io.Writer) error {
						_, err := w.Write(content)
						return err
					})
					if err != nil {
						return err
					}
				}
			}
			if !there[name] {
				l.Steps[i].Report = ""
			}
		}
	}
	return ctx.Err()
}
