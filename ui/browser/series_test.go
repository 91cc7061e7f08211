package browser

import (
	"io"
	"path/filepath"
	"testing"

	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/store/series/seriestest"
	"github.com/gohone/hone/internal/sys/outfile"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/web"
	"github.com/gohone/hone/ui/chrome"
)

// The page of series shows the one that got worse most, finds others by their names, and draws the one that is chosen.
func TestSeries(t *testing.T) {
	w := start(t)
	h, err := chains.HistoryOf("branch:hone-series", series.Content{Points: seriestest.Nights(730, 500)}, chains.Query{},
		chains.Options{}, chains.StepOptions{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "index.html")
	err = outfile.Write(path, 0o600, func(out io.Writer) error {
		return web.WriteReport(out, web.Report{Title: "Performance by commit", First: "series",
			Answers: map[string]any{"series": page.SeriesOf(h)}})
	})
	if err != nil {
		t.Fatal(err)
	}
	p := w.file(t, path, "")
	p.wait(`[data-test="series"] [data-test="chart-series"] canvas`)
	p.wait(`[data-test="steps"] li`)
	if v, err := chrome.Value[float64](p.Page, `performance.getEntriesByName("hone-painted")[0]?.startTime ?? -1`); err != nil {
		t.Error(err)
	} else {
		t.Logf("500 series of two years are painted %.0f ms after the start", v)
	}
	p.picture("series")
	p.do(focus(`[data-test="lines"] input`))
	p.keys("case123")
	p.until(`document.querySelectorAll('[data-test="lines"] tbody tr').length === 1`)
	p.click(`[data-test="lines"] tbody a`)
	p.until(`document.querySelector('#drawn-title').textContent.includes('case123')`)
	p.click(`[data-test="chart-series"] .show-data`)
	p.wait(`[data-test="chart-series"] .behind table`)
	p.dark()
	p.do(resize(500, 900))
	p.picture("series-dark-narrow")
}
