package browser

import (
	"io"
	"path/filepath"
	"strings"
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
			Answers: map[string]any{"series": page.SeriesOf(h, "https://forge.example.com/owner/name/commit/")}})
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
	const reading = `document.querySelector('[data-test="reading"]').textContent`
	newest := p.text(reading)
	p.do(focus(`[data-test="chart-series"] [role="img"]`))
	p.keys(home)
	p.until(reading + `.includes("2024-11-02") && ` + reading + `.includes("change 1 of the parser")`)
	if strings.Contains(newest, "2024-11-02") {
		t.Errorf("without a pointer the page reads %q", newest)
	}
	link := p.text(`document.querySelector('[data-test="reading"] a').href`)
	if !strings.HasPrefix(link, "https://forge.example.com/owner/name/commit/") || len(link) < 80 {
		t.Errorf("the commit leads to %s", link)
	}
	p.keys("/")
	p.until(`document.activeElement === document.querySelector('[data-test="lines"] input')`)
	p.keys(backspace) // a key of the browser's protocol writes its letter, whatever the page says of the key
	p.keys("nothing-like-that")
	p.wait(`[data-test="nothing"]`)
	p.keys(strings.Repeat(backspace, 20))
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

// hone serve shows the series of a store beside the ledger. A page of a comparison that the store has is shown apart from
// the others: its script could read nothing of them.
func TestSeriesOnTheServer(t *testing.T) {
	w := start(t)
	p := w.at(t, "#/")
	p.click(`nav a[href="#/series"]`)
	p.wait(`[data-test="series"] [data-test="chart-series"] canvas`)
	p.wait(`[data-test="steps"] li`)
	p.do(resize(500, 900))
	p.until(`document.documentElement.scrollWidth <= innerWidth`)
	p.picture("series-narrow")
	p.do(resize(width, height))
	if at := p.text(`document.querySelector('[data-test="steps"] a[href^="reports/"]').getAttribute("href")`); at == "" {
		t.Error("the step does not lead to its comparison")
	}
	policy, err := p.Await(`fetch(document.querySelector('[data-test="steps"] a[href^="reports/"]').href).then(r => r.headers.get("Content-Security-Policy"))`)
	if err != nil || !strings.HasPrefix(policy, "sandbox allow-scripts;") {
		t.Errorf("%q, %v", policy, err)
	}
	p.click(`[data-test="steps"] a[href^="reports/"]`)
	p.until(`document.querySelector("h1")?.textContent === "A kept comparison"`)
}
