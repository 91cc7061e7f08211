// Package browser walks hone's pages in a headless Chromium, with data of real measurements that the tests make.
package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/seriestest"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/ui/chrome"
)

// screens is where screenshots are kept, below the root of the repository.
var screens = filepath.Join("bin", "screens")

// world is what all tests share: measurements in a ledger, a server over it, and a browser.
type world struct {
	dir, hone, ledger, store string
	browser                  *chrome.Browser
	server                   *exec.Cmd
	// address is that of the server with the token for the browser, base without it.
	address, base string
	first         *chrome.Page // that was opened with the token
	// names of what was measured.
	comparison, run, load, bench, bisect string
}

var theWorld struct {
	sync.Once
	*world
	err error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if w := theWorld.world; w != nil {
		code = max(code, w.end())
	}
	os.Exit(code)
}

// shared is the world, made by the first test that asks for it.
func shared(t *testing.T) *world {
	t.Helper()
	if _, err := chrome.Find(); err != nil {
		t.Skip(err)
	}
	theWorld.Do(func() { theWorld.world, theWorld.err = newWorld() })
	if theWorld.err != nil {
		t.Fatal(theWorld.err)
	}
	return theWorld.world
}

func newWorld() (w *world, err error) {
	w = &world{}
	if w.dir, err = os.MkdirTemp("", "hone-browser-"); err != nil {
		return nil, err
	}
	w.hone, w.ledger = filepath.Join(w.dir, "hone"), filepath.Join(w.dir, ".hone")
	for _, step := range []func() error{w.build, w.measure, w.search, w.track, w.serve, w.find} {
		if err := step(); err != nil {
			w.end()
			return nil, err
		}
	}
	return w, nil
}

// The size of a window.
const width, height = 1400, 1000

// end ends what still goes on, and says with 1 that it did not work.
func (w *world) end() (code int) {
	if w.browser != nil {
		w.browser.Close()
	}
	if w.server != nil {
		err := errors.Join(w.server.Process.Signal(os.Interrupt), w.server.Wait())
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != interruptedCode {
			fmt.Fprintln(os.Stderr, "hone serve ended with:", err)
			code = 1
		}
	}
	if err := os.RemoveAll(w.dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	return code
}

// interruptedCode is hone's exit code after Ctrl-C.
const interruptedCode = 130

func (w *world) build() error {
	return w.command(nil, "go", "build", "-ldflags=-w", "-o", w.hone, "./cmd/hone")
}

// command runs a command in the root of the repository.
func (w *world) command(fine []int, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	for _, code := range fine {
		if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == code {
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// decided are the exit codes of a measurement that has something to show: on a busy machine it may end undecided, and a
// benchmark against itself may be called slower by chance.
var decided = []int{1, 8}

// late is the exit code of a load test whose generator was late, as it may be on a busy machine: its page has the same
// parts.
var late = []int{4}

// The program that is measured, and what is asked of it.
const service, path = "./services/visits/cmd/visits", "/hello"

// measure fills the ledger: a comparison of two stages of a reference service, one run, a load test of a server of the
// tests' own, and a benchmark against itself.
func (w *world) measure() error {

	to := []string{"--ledger", w.ledger, "--quiet"}
	if err := w.command(decided, w.hone, append([]string{"compare", service + " -stage fprintf",
		service + " -stage final",
		"--budget", "8s", "-c", "8", "--profile-time", "1s", "--path", path, "--delta", "0.05"},
		to...)...); err != nil {
		return err
	}
	for range 2 { // a chart of the history begins with the second run
		if err := w.command(nil, w.hone, append([]string{"run", service, "-d", "2s", "-c", "8", "--profile-time", "1s",
			"--path", path}, to...)...); err != nil {
			return err
		}
	}
	target, err := answering()
	if err != nil {
		return err
	}
	defer target.Close()
	if err := w.command(late, w.hone, append([]string{"load", "http://" + target.Addr, "-d", "2s", "--rate", "500"},
		to...)...); err != nil {
		return err
	}
	return w.command(decided, w.hone, append([]string{"bench", "--vs", "./", "./stats", "--bench", "SequentialSignFlip",
		"--all", "--budget", "4s"}, to...)...)
}

// track fills a store of series, with the page of a comparison.
func (w *world) track() error {
	w.store = filepath.Join(w.dir, "series")
	points := seriestest.Nights(60, 30)
	text := []byte("<!doctype html><title>kept</title><h1>A kept comparison</h1>")
	name := series.ReportName("kept", text, "html")
	points[33].Report = name // at which every hundredth gets slower
	return series.OpenDir(w.store).Append(context.Background(), points, map[string][]byte{name: text})
}

// serve starts hone serve and asks for the cookie once.
func (w *world) serve() error {
	cmd := exec.Command(w.hone, "serve", "--ledger", w.ledger, "--store", w.store)
	cmd.Dir, cmd.Stderr = filepath.Join("..", ".."), os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	w.server = cmd
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return fmt.Errorf("hone serve printed no address: %w", err)
	}
	fields := strings.Fields(line)
	w.address = fields[len(fields)-1]
	w.base, _, _ = strings.Cut(w.address, "?")
	return nil
}

// find reads the names of what was measured.
func (w *world) find() error {
	var err error
	if w.browser, err = chrome.Start(context.Background()); err != nil {
		return err
	}
	if w.first, err = w.browser.Open(w.address, width, height); err != nil { // which has the cookie from now on
		return err
	}
	text, err := w.first.Await(`fetch("/api/v1/history").then(r => r.text())`)
	if err != nil {
		return err
	}
	var h page.History
	if err := json.Unmarshal([]byte(text), &h); err != nil {
		return fmt.Errorf("%w in %.200q", err, text)
	}
	for _, e := range h.Newest {
		switch e.Kind {
		case page.KindComparison:
			w.comparison = e.ID
		case page.KindLoad:
			w.load = e.ID
		case page.KindBench:
			w.bench = e.ID
		case page.KindRun:
			if w.run == "" { // the newest: the two of the comparison are older
				w.run = e.ID
			}
		}
	}
	if w.comparison == "" || w.run == "" || w.load == "" || w.bench == "" {
		return fmt.Errorf("the ledger lacks some of what was measured: %+v", h.Newest)
	}
	return nil
}
