package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The page of a comparison has the sentence, all measures with their numbers, the pairs, the curves and what differs;
// its functions lead to the difference of the profiles.
func TestComparison(t *testing.T) {
	w := start(t)
	p := w.at(t, "#/comparisons/"+w.comparison)
	p.wait(`[data-test="verdict"]`)
	for _, part := range []string{`[data-test="check"]`, `[data-test="measures"] [data-test="measure-cpu"]`,
		`[data-test^="chart-pairs"] canvas`, `#latency canvas`,
		`[data-test="environment"]`, `[data-test="variant-A"]`, `[data-test="command"]`} {
		p.wait(part)
	}
	p.picture("comparison")
	p.click(`[data-test^="chart-pairs"] .show-data`)
	p.wait(`[data-test^="chart-pairs"] .behind table`)
	p.dark()
	p.picture("comparison-dark")
	p.click(`[data-test="open-diff"]`)
	p.wait(`[data-test="profile-screen"] canvas`)
	if hash := p.text("location.hash"); !strings.HasPrefix(hash, "#/diff/") {
		t.Errorf("the functions lead to %s", hash)
	}
}

// The terminal and the web show the same numbers.
func TestWebAndTerminalShowTheSameNumbers(t *testing.T) {
	w := start(t)
	for _, c := range []struct{ id, hash, ready string }{
		{w.comparison, "#/comparisons/" + w.comparison, `[data-test="measures"]`},
		{w.bench, "#/comparisons/" + w.bench, `[data-test="measures"]`},
		{w.bisect, "#/comparisons/" + w.bisect, `#history`},
		{w.run, "#/runs/" + w.run, `#numbers`},
	} {
		text, err := w.output("show", c.id)
		if err != nil {
			t.Fatal(err)
		}
		p := w.at(t, c.hash)
		p.wait(c.ready)
		page := p.words()
		n := 0
		for _, number := range numbersIn(text) {
			n++
			if !strings.Contains(page, number) {
				t.Errorf("%s: the terminal shows %q, the page does not", c.hash, number)
			}
		}
		if n < 4 { // a benchmark that is undecided has its two times, the change, and an interval
			t.Errorf("%s: only %d numbers were compared in %s", c.hash, n, text)
		}
	}
}

// Everything that the page of a load test counts, the terminal says in the same words.
func TestLoadTestShowsTheTerminalsWords(t *testing.T) {
	w := start(t)
	text, err := w.output("show", w.load)
	if err != nil {
		t.Fatal(err)
	}
	p := w.at(t, "#/runs/"+w.load)
	p.wait(`#latency canvas`)
	numbers := numbersIn(plain(p.text(`document.querySelector("#numbers").innerText + " " + document.querySelector("#latency").innerText`)))
	for _, number := range numbers {
		if !strings.Contains(plain(text), number) {
			t.Errorf("the page shows %q, the terminal does not", number)
		}
	}
	if len(numbers) < 5 {
		t.Errorf("only %d numbers were compared", len(numbers))
	}
	p.picture("load")
}

// numbersIn are the changes in percent of a terminal's text, and its values with a unit of time: those that no page may
// round in another way.
func numbersIn(text string) []string {
	var all []string
	fields := strings.Fields(text)
	for i := 1; i < len(fields); i++ {
		value, unit := strings.Trim(fields[i-1], "(),;"), strings.Trim(fields[i], "(),;")
		if !strings.ContainsAny(value, "0123456789") || strings.ContainsAny(value, ":/=") {
			continue
		}
		switch {
		case unit == "%" && strings.HasPrefix(value, "+"), unit == "%" && strings.HasPrefix(value, "-"), unit == "us",
			unit == "ms":
			all = append(all, value+" "+unit)
		}
	}
	return all
}

// The page of a run has its numbers, latencies, timeline and environment, and says how to measure it again.
func TestRun(t *testing.T) {
	w := start(t)
	p := w.at(t, "#/runs/"+w.run)
	for _, part := range []string{`#numbers`, `#latency canvas`, `#heatmap canvas`, `#timeline canvas`,
		`[data-test="times"] [data-test="bar-typical"]`,
		`[data-test="bar-slow"]`, `#findings`, `[data-test="profiles"] a`, `#environment`,
		`[data-test="artefacts"] a`} {
		p.wait(part)
	}
	if text := p.words(); !strings.Contains(text, "hone run") {
		t.Error("the page does not say how to measure it again")
	}
	p.picture("run")
	p.dark()
	p.picture("run-dark")
	p.click(`[data-test="profiles"] a`)
	p.wait(`[data-test="flame-canvas"], [data-test="profile-screen"] canvas`)
}

// A flame graph is searched, zoomed, walked with the keyboard; the address brings the same view back.
func TestProfile(t *testing.T) {
	w := start(t)
	p := w.at(t, "#/profiles/"+w.run+"/cpu")
	canvas := `[data-test="profile-screen"] canvas`
	p.wait(canvas)
	p.picture("flame")
	p.keys("/")
	p.until(`document.activeElement === document.querySelector('[data-test="profile-search"]')`)
	p.keys(backspace) // a key of the browser's protocol writes its letter, whatever the page says of the key
	p.keys("net")
	p.until(`/\d+ functions match/.test(document.querySelector('[data-test="matched"]').textContent)`)
	p.until(`location.hash.includes("q=net")`)
	p.do(focus(canvas))
	p.keys(arrowDown)
	p.keys(arrowDown)
	p.until(`document.querySelector('[data-test="flame-selected"]').textContent.length > 3`)
	read := p.text(`document.querySelector('[data-test="flame-selected"]').textContent`)
	p.keys(enter)
	p.wait(`[data-test="zoom-stack"]`)
	hash := p.text("location.hash")
	p.picture("flame-zoomed")
	p.do(reload())
	p.wait(`[data-test="zoom-stack"]`)
	if again := p.text("location.hash"); again != hash ||
		!strings.Contains(p.text(`document.querySelector('[data-test="profile-search"]').value`), "net") {
		t.Errorf("a reload of %s brought %s", hash, again)
	}
	p.do(focus(canvas))
	p.keys(escape)
	p.until(`!document.querySelector('[data-test="zoom-stack"]')`)
	for _, view := range []string{"table", "sandwich", "source"} {
		p.click(fmt.Sprintf(`[data-test="view-%s"]`, view))
		p.until(fmt.Sprintf(`location.hash.includes("view=%s")`, view))
		p.wait(map[string]string{"table": `[data-test="function-table"]`,
			"sandwich": `[data-test="profile-screen"] canvas`, "source": `[data-test="source-view"]`}[view])
		p.picture("profile-" + view)
	}
	t.Logf("the keyboard reached: %s", read)
}

// From the profile of a run the reader gets to its difference to another run; the older one is A.
func TestAProfileLeadsToADifference(t *testing.T) {
	w := start(t)
	p := w.at(t, "#/profiles/"+w.run+"/cpu")
	p.wait(`[data-test="diff-with"] option:nth-child(3)`)
	older := p.text(`[...document.querySelector('[data-test="diff-with"]').options].find(o => o.text.includes("visits")).value`)
	p.do(choose(`[data-test="diff-with"]`, older))
	p.wait(`[data-test="profile-screen"] canvas`)
	p.until(`location.hash.startsWith("#/diff/")`)
	if want, got := "#/diff/"+older+"/"+w.run+"/cpu", p.text("location.hash"); got != want {
		t.Errorf("the difference is at %s, want %s", got, want)
	}
}

// In a narrow window nothing is cut off: what does not fit has several lines, or scrolls.
func TestNarrowWindowsCutNothingOff(t *testing.T) {
	w := start(t)
	for name, hash := range map[string]string{"history": "#/", "run": "#/runs/" + w.run,
		"comparison": "#/comparisons/" + w.comparison, "bench": "#/comparisons/" + w.bench,
		"flame": "#/profiles/" + w.run + "/cpu", "waits": "#/profiles/" + w.run + "/wait"} {
		t.Run(name, func(t *testing.T) { // at whose end its page is closed
			p := w.at(t, hash)
			p.do(resize(500, 900))
			p.wait(`article, [data-test="profile-screen"]`)
			beyond := p.text(`[...document.querySelectorAll("main *")]
				.filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !e.closest(".scroll, .virtual, .code, .flame-box, .functions, .behind, pre, svg, .u-wrap, .tip"))
				.map(e => e.outerHTML.slice(0, 100)).join("\n")`)
			if beyond != "" {
				t.Errorf("these lie beyond the edge of the window:\n%s", beyond)
			}
			p.picture(name + "-narrow")
		})
	}
}

// The functions that changed come first, the keyboard shows the others; the title names the program.
func TestFunctionsThatChangedComeFirst(t *testing.T) {
	w := start(t)
	p := w.at(t, "#/comparisons/"+w.comparison)
	p.wait(`[data-test="all-functions"]`)
	const rows = `String(document.querySelectorAll('[data-test="functions"] tbody tr').length)`
	before := p.text(rows)
	p.do(focus(`[data-test="all-functions"]`))
	p.keys(enter)
	p.until(`!document.querySelector('[data-test="all-functions"]') && document.querySelector('[data-test="functions"] tbody tr')`)
	if after := p.text(rows); after == before {
		t.Errorf("%s rows before, %s after", before, after)
	}
	if title := p.text(`document.querySelector("h1").textContent`); title != "visits: -stage fprintf vs -stage final" {
		t.Errorf("the title is %q", title)
	}
}

// The history filters, and compares two runs that were picked.
func TestHistory(t *testing.T) {
	w := start(t)
	p := w.at(t, "#/")
	p.wait(`[data-test="history"] [data-test="newest"]`)
	p.until(`document.querySelector('#newest').offsetTop < document.querySelector('[data-test="filters"]').offsetTop`)
	for _, kind := range []string{"run", "load", "comparison", "bench", "bisect"} {
		p.wait(`[data-test="entry-` + kind + `"]`)
	}
	p.wait(`[data-test^="chart-trend"] canvas`)
	p.picture("history")
	p.do(choose(`[data-test="filter-measure"]`, "p99"))
	p.until(`location.hash.includes("measure=p99")`)
	p.until(`document.querySelector('[data-test="runs"]').textContent.includes("p99")`)
	p.do(choose(`[data-test="filter-status"]`, "crashed"))
	p.until(`document.body.textContent.includes("No run passes these filters")`)
	p.do(choose(`[data-test="filter-status"]`, ""))
	p.wait(`[data-test="run-row"]`)
	p.do(focus(`[data-test="runs"] .virtual`))
	p.keys(arrowDown) // past the load test, with which no run may be compared
	p.keys(" ")
	p.keys(arrowDown)
	p.keys(" ")
	p.wait(`[data-test="compare-picked"]`)
	p.wait(`[data-test="diff-picked"]`)
	p.picture("history-picked")
	p.dark()
	p.click(`[data-test="compare-picked"]`)
	p.wait(`[data-test="verdict"], [data-test="problem"]`)
}

// A measurement that goes on is shown while it does, and leads to its page at the end.
func TestLive(t *testing.T) {
	w := start(t)
	p := w.at(t, "#/live")
	p.wait(`[data-test="live"]`)
	p.until(`document.querySelector('[data-test="connection"]').textContent.includes("Connected")`)
	done := make(chan error, 1)
	go func() {
		done <- w.command(nil, w.hone, "run", service, "-d", "4s", "-c", "4", "--no-profile", "--path", path,
			"--ledger", w.ledger, "--quiet", "--no-report")
	}()
	p.wait(`[data-test="measurement"]`)
	p.until(`document.querySelector('[data-test="measurement"] dl[aria-label="Load"]')`)
	p.picture("live")
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	p.wait(`[data-test="open-result"]`)
	p.click(`[data-test="open-result"]`)
	p.wait(`#numbers`)
}

// A report works from a file, is small, and says what the server says.
func TestReport(t *testing.T) {
	w := start(t)
	file := filepath.Join(w.dir, "report.html")
	if _, err := w.output("report", w.comparison, "-o", file); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the report of a comparison has %d kB", info.Size()/1000)
	if info.Size() > 2_000_000 {
		t.Error("it is too large to be mailed")
	}
	served := w.at(t, "#/comparisons/"+w.comparison)
	served.wait(`[data-test="verdict"]`)
	p := w.file(t, file, "")
	p.wait(`[data-test="verdict"]`)
	const verdict = `document.querySelector('[data-test="verdict"]').textContent`
	if a, b := p.text(verdict), served.text(verdict); a != b || a == "" {
		t.Errorf("the report says %q, the server %q", a, b)
	}
	p.picture("report")
	p.click(`[data-test="variant-B"] a`)
	p.wait(`#numbers`)
	p.click(`[data-test="profiles"] a`)
	p.wait(`[data-test="profile-screen"] canvas`)
	p.do(resize(700, 900))
	p.do(visit("file://" + file + "#/comparisons/" + w.comparison))
	p.wait(`[data-test="verdict"]`)
	p.until(`document.documentElement.scrollWidth <= innerWidth`)
	p.picture("report-narrow")
}

// Everything can be reached with the keyboard, and says what it is.
func TestKeyboardAndNames(t *testing.T) {
	w := start(t)
	for _, id := range []string{w.comparison, w.bisect} {
		reachable(t, w.at(t, "#/comparisons/"+id))
	}
}

func reachable(t *testing.T, p walk) {
	t.Helper()
	p.wait(`[data-test="verdict"]`)
	p.keys("?")
	p.wait(`[data-test="keys"]`)
	p.keys(escape)
	p.until(`!document.querySelector('[data-test="keys"]')`)
	for _, without := range []struct{ what, selector string }{
		{"buttons without a name",
			`[...document.querySelectorAll("button, a[href], select, input")].filter(e => !(e.textContent.trim() || e.ariaLabel || e.title || e.closest("label")))`},
		{"charts without a summary", `[...document.querySelectorAll('[role="img"]')].filter(e => !e.ariaLabel)`},
		{"ids that occur twice",
			`[...document.querySelectorAll("[id]")].filter((e, i, all) => all.some((o, j) => j < i && o.id === e.id))`},
	} {
		if found := p.text(without.selector + `.map(e => e.outerHTML.slice(0, 120)).join("\n")`); found != "" {
			t.Errorf("%s:\n%s", without.what, found)
		}
	}
	reached := map[string]bool{}
	for range 25 {
		p.keys(tab)
		reached[p.text(`(document.activeElement.textContent || document.activeElement.ariaLabel || "").slice(0, 40)`)] = true
	}
	if len(reached) < 15 {
		t.Errorf("the tab key reaches only %d elements in 25 steps", len(reached))
	}
}
