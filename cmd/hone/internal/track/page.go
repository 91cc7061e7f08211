package track

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/sys/outfile"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/web"
)

// mostInSummary is how many series a page shows where there is no JavaScript.
const mostInSummary = 20

// WritePage writes the page of all series as index.html into a directory, which is made if it is not there.
func WritePage(dir string, h *chains.History) (path string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // a site is for everybody
		return "", fail.New(fail.BadInput, "--html: %w", err)
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
