// Package browser walks hone's pages in a headless Chromium, with data of real measurements that the tests make.
package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/internal/page"
	"github.com/gohone/hone/ui/chrome"
)

// screens is where screenshots are kept, below the root of the repository.
var screens = filepath.Join("bin", "screens")

// world is what all tests share: measurements in a ledger, a server over it, and a browser.
type world struct {
	dir, hone, ledger string
	browser           *chrome.Browser
	server            *exec.Cmd
	// address is that of the server with the token for the browser, base without it.
	address, base string
	client        *http.Client // that has the cookie
	// names of what was measured.
	comparison, run, load, bench string
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

// open is the world, made by the first test that asks for it.
func open(t *testing.T) *world {
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
	for _, step := range []func() error{w.build, w.measure, w.serve, w.find} {
		if err := step(); err != nil {
			w.end()
			return nil, err
		}
	}
	w.browser, err = chrome.Start(context.Background())
	return w, err
}

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

// exit codes that leave something to look at: a comparison may end undecided on a busy machine.
var undecided = []int{8}

// measure fills the ledger: a comparison of two stages of a reference service, one run, a load test of a server of the
// tests' own, and a benchmark against itself.
func (w *world) measure() error {
	const service = "./services/visits/cmd/visits"
	to := []string{"--ledger", w.ledger, "--quiet"}
	if err := w.command(undecided, w.hone, append([]string{"compare", service + " -stage fprintf", service + " -stage final",
		"--budget", "8s", "-c", "8", "--profile-time", "1s", "--path", "/hello?name=Ann", "--delta", "0.05"}, to...)...); err != nil {
		return err
	}
	if err := w.command(nil, w.hone, append([]string{"run", service, "-d", "3s", "-c", "8", "--profile-time", "1s", "--path", "/hello?name=Ann"}, to...)...); err != nil {
		return err
	}
	target, err := answering()
	if err != nil {
		return err
	}
	defer target.Close()
	if err := w.command(nil, w.hone, append([]string{"load", "http://" + target.Addr, "-d", "2s", "--rate", "500"}, to...)...); err != nil {
		return err
	}
	return w.command(undecided, w.hone, append([]string{"bench", "--vs", "./", "./stats", "--bench", "Median", "--budget", "4s"}, to...)...)
}

// serve starts hone serve and asks for the cookie once.
func (w *world) serve() error {
	cmd := exec.Command(w.hone, "serve", "--ledger", w.ledger)
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

// ask reads an answer of the API.
func (w *world) ask(path string, into any) error {
	if w.client == nil {
		jar, err := cookiejar.New(nil)
		if err != nil {
			return err
		}
		w.client = &http.Client{Jar: jar, Timeout: time.Minute}
	}
	answer, err := w.client.Get(strings.TrimSuffix(w.base, "/") + "/api/v1/" + path)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, answer.Status)
	}
	return json.NewDecoder(answer.Body).Decode(into)
}

// find reads the names of what was measured.
func (w *world) find() error {
	var h page.History
	if err := w.ask("history", &h); err != nil {
		return err
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
