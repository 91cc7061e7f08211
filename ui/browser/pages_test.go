package browser

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gohone/hone/ui/chrome"
)

// walk is a page under test.
type walk struct {
	*chrome.Page
	t *testing.T
}

// at opens a screen of the server, and checks at the end that the page did nothing that it must not do.
func (w *world) at(t *testing.T, hash string) walk { return w.open(t, w.base+hash) }

// file opens a report.
func (w *world) file(t *testing.T, path, hash string) walk {
	return w.open(t, (&url.URL{Scheme: "file", Path: path}).String()+hash)
}

func (w *world) open(t *testing.T, address string) walk {
	t.Helper()
	p, err := w.browser.Open(address, width, height)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, problem := range p.Problems() {
			t.Errorf("%s: %s", address, problem)
		}
		p.Close()
	})
	return walk{p, t}
}

// wait waits for an element.
func (w walk) wait(selector string) {
	w.t.Helper()
	w.until(fmt.Sprintf("document.querySelector(%q)", selector))
}

func (w walk) until(expression string) {
	w.t.Helper()
	if err := w.Wait(expression); err != nil {
		w.t.Fatal(err)
	}
}

func (w walk) do(steps ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	if err := w.Do(steps...); err != nil {
		w.t.Fatal(err)
	}
}

// click clicks an element once it stands still, at four looks: one that moves between the look at its place and the click
// is missed, and another one may be hit.
func (w walk) click(selector string) {
	w.t.Helper()
	w.until(fmt.Sprintf(`(() => {
		const e = document.querySelector(%q)
		if (!e) return false
		const r = e.getBoundingClientRect(), before = e.lastPlace
		e.lastPlace = [r.x, r.y, r.width, r.height].join()
		e.still = before === e.lastPlace ? (e.still ?? 0) + 1 : 0
		return e.still >= 3
	})()`, selector))
	w.do(chromedp.Click(chromedp.CSS(selector)))
}

// keys types keys into what has the focus.
func (w walk) keys(keys string) {
	w.t.Helper()
	w.do(chromedp.KeyEvent(keys))
}

// text is what an expression of JavaScript comes to.
func (w walk) text(expression string) string {
	w.t.Helper()
	v, err := chrome.Value[string](w.Page, expression)
	if err != nil {
		w.t.Fatal(err)
	}
	return v
}

// words is the text of the page, as plain writes it.
func (w walk) words() string {
	w.t.Helper()
	return plain(w.text("document.body.textContent"))
}

// plain is a text with each white space one space, and with the us of terminals for the µs of pages.
func plain(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "µs", "us")
}

// picture keeps a screenshot.
func (w walk) picture(name string) {
	w.t.Helper()
	data, err := w.Picture("")
	if err != nil {
		w.t.Fatal(err)
	}
	dir := filepath.Join("..", "..", screens)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), data, 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// dark switches to dark colours, and checks that it did.
func (w walk) dark() {
	w.t.Helper()
	w.click(`[data-test="theme-light"]`) // whatever an earlier test chose
	before := w.text("getComputedStyle(document.body).backgroundColor")
	w.click(`[data-test="theme-dark"]`)
	w.until(fmt.Sprintf("getComputedStyle(document.body).backgroundColor !== %q", before))
}
