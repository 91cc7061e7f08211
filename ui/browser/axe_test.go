//go:build axe

package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gohone/hone/ui/chrome"
)

// axeFile is the environment variable with the path of axe-core's script: tools/axe.sh sets it.
const axeFile = "HONE_AXE"

// axeViolation is one rule that a page breaks, as axe.run returns it.
type axeViolation struct {
	ID, Impact, Help string
	Nodes            []struct {
		HTML, FailureSummary string
		Target               []any // the selector; a list of selectors within shadow DOM
	}
}

// The pages break no rule of axe-core, neither its WCAG rules nor its best practices, in light and in dark colours, in
// wide and in narrow windows. Canvases are drawings to it: it sees their names only.
func TestAxe(t *testing.T) {
	if _, err := chrome.Find(); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(os.Getenv(axeFile))
	if err != nil {
		t.Fatalf("read axe-core (%s, which make axe sets): %v", axeFile, err)
	}
	w := start(t)
	for _, s := range w.axeScreens() {
		t.Run(s.name, func(t *testing.T) {
			p := w.at(t, s.hash)
			p.wait(s.ready)
			if s.follow != "" {
				p.click(s.follow)
				p.wait(s.then)
			}
			p.text(string(script) + "; axe.version")
			for _, theme := range []string{"light", "dark"} {
				p.do(resize(width, height))
				p.click(`[data-test="theme-` + theme + `"]`)
				p.until(fmt.Sprintf("document.documentElement.dataset.theme === %q", theme))
				p.axe(s.name + ", " + theme)
				p.do(resize(500, 900))
				p.axe(s.name + ", " + theme + ", 500 px")
			}
		})
	}
}

// axeScreen is a page under test, and what shows that it is drawn.
type axeScreen struct {
	name, hash, ready string
	// follow is a link of it that leads to the page that is meant, then what shows that this one is drawn; empty for
	// most.
	follow, then string
}

const canvas = `[data-test="profile-screen"] canvas`

// axeScreens are the screens of everything that was measured.
func (w *world) axeScreens() []axeScreen {
	return []axeScreen{
		{name: "history", hash: "#/", ready: `[data-test="history"] [data-test="newest"]`},
		{name: "run and its findings", hash: "#/runs/" + w.run, ready: `#findings`},
		{name: "load test", hash: "#/runs/" + w.load, ready: `#latency canvas`},
		{name: "comparison", hash: "#/comparisons/" + w.comparison, ready: `[data-test="measures"]`},
		{name: "difference", hash: "#/comparisons/" + w.comparison, ready: `[data-test="measures"]`,
			follow: `[data-test="open-diff"]`, then: canvas},
		{name: "run of a comparison", hash: "#/comparisons/" + w.comparison, ready: `[data-test="measures"]`,
			follow: `[data-test="variant-A"] a`, then: `#numbers`},
		{name: "benchmark", hash: "#/comparisons/" + w.bench, ready: `[data-test="measures"]`},
		{name: "search", hash: "#/comparisons/" + w.bisect, ready: `#history canvas`},
		{name: "flame", hash: "#/profiles/" + w.run + "/cpu", ready: canvas},
		{name: "table", hash: "#/profiles/" + w.run + "/cpu?view=table", ready: `[data-test="function-table"]`},
		{name: "source", hash: "#/profiles/" + w.run + "/cpu?view=source", ready: `[data-test="source-view"]`},
		{name: "waits", hash: "#/profiles/" + w.run + "/wait", ready: canvas},
		{name: "series", hash: "#/series", ready: `[data-test="chart-series"] canvas`},
		{name: "live", hash: "#/live", ready: `[data-test="live"]`},
	}
}

// axe fails the test for each element that breaks a rule.
func (w walk) axe(page string) {
	w.t.Helper()
	text, err := w.Await(`axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations))`)
	if err != nil {
		w.t.Fatal(err)
	}
	var found []axeViolation
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		w.t.Fatalf("read axe-core's answer: %v in %.200q", err, text)
	}
	for _, v := range found {
		for _, n := range v.Nodes {
			w.t.Errorf("%s: rule %s (%s): %s\n  element %v: %.200s\n  %s", page, v.ID, v.Impact, v.Help, n.Target,
				n.HTML,
				strings.ReplaceAll(n.FailureSummary, "\n", "\n  "))
		}
	}
}
