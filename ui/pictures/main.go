// Command pictures makes the pictures of the documents from real runs: the first minute with hone, what hone compare
// prints, the report of that comparison, the flame graph of what changed, and the report of each reference service,
// first stage against last. made.json, beside them, says how.
//
// The pictures show the directory where the programs ran, so make them in a checkout of a short, plain name such as
// /tmp/hone.
//
//	go build -o bin/hone ./cmd/hone
//	cd ui && go run ./pictures [NAME ...]
//
// A NAME is that of a file without its suffix; pictures of the same comparison are made, too. Without a NAME it makes
// all.
//
// It needs Chromium, and seven minutes in which the machine does nothing else. Look at the pictures before you commit
// them. A picture that cannot be made, as that of a page that the report of an undecided comparison does not have, is
// named at the end; the others are written, and its old file stays.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/ui/chrome"
)

func main() {
	hone := flag.String("hone", filepath.Join("..", "bin", "hone"), "hone's binary")
	out := flag.String("o", filepath.Join("..", "docs", "pictures"), "directory of the pictures")
	budget := flag.String("budget", "30s", "what the comparison may take")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *hone, *out, *budget, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// shop is the comparison that the README and the guides show: a slow and the last stage of the visitor counter.
var shop = story{a: "./services/visits/cmd/visits -stage fprintf", b: "./services/visits/cmd/visits -stage sharded",
	flags: []string{"-c", "20", "--path", "/hello?name=Ann"}}

// stories are the other services, first stage against last, each with a picture of its report, or of what it is about.
// The load is that of hone demo.
var stories = []story{
	{name: "framed", a: "./services/framed/cmd/framed -stage raw", b: "./services/framed/cmd/framed -stage reactor",
		flags: []string{"--target", "framed://127.0.0.1:{port}", "-c", "100", "--depth", "16"},
		args:  []string{"-addr", "127.0.0.1:{port}"}},
	{name: "rpc", a: "./services/rpc/cmd/rpc -stage naive", b: "./services/rpc/cmd/rpc -stage pipelined",
		flags: []string{"--target", "rpc://127.0.0.1:{port}", "-c", "20", "--depth", "16"},
		args:  []string{"-addr", "127.0.0.1:{port}"}},
	{name: "tlsidle", a: "./services/tlsidle/cmd/tlsidle -stage heldbuffer",
		b:     "./services/tlsidle/cmd/tlsidle -stage parked",
		flags: []string{"--target", "https://127.0.0.1:{port}/", "-c", "500", "--rate", "100"},
		args:  []string{"-addr", "127.0.0.1:{port}"}, heap: true},
	{name: "chat", a: "./services/chat/cmd/chat -stage naive", b: "./services/chat/cmd/chat -stage final",
		flags: []string{"--target", "chat://127.0.0.1:{port}?room=10", "-c", "500", "--rate", "100"},
		args:  []string{"-addr", "127.0.0.1:{port}"}},
	{name: "havlak", a: "./services/havlak/cmd/havlak -stage first", b: "./services/havlak/cmd/havlak -stage final",
		flags: []string{"--once"}, args: []string{"-loops", "15200", "-repeat", "10", "-warmups", "1000"}},
}

// story is one comparison. Its name is that of its picture.
type story struct {
	name, a, b  string
	flags, args []string
	// heap shows the difference of the live heaps instead of the report.
	heap bool
}

func run(ctx context.Context, hone, out, budget string, names []string) (err error) {
	if hone, err = filepath.Abs(hone); err != nil {
		return err
	}
	jobs, err := chosen(names)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "hone-pictures-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b, err := chrome.Start(ctx)
	if err != nil {
		return err
	}
	defer b.Close()
	made, err := newRecord(ctx)
	if err != nil {
		return err
	}
	a := &album{hone: hone, dir: dir, budget: budget, take: func(p picture) ([]byte, error) { return p.take(b) },
		made:  made,
		taken: map[string][]byte{}}
	if err := a.makeAll(ctx, jobs); err != nil {
		return err
	}
	return errors.Join(a.save(out, len(names) > 0), a.missing())
}

// comparison is what was measured.
type comparison struct {
	story
	hone, ledger, budget string
	ID                   string
	Runs                 []string
	undecided            bool // its report may lack pages
}

// line is the command of the comparison, as a reader types it.
func (c *comparison) line() string {
	words := append([]string{"hone", "compare", c.a, c.b}, c.flags...)
	words = append(words, "--budget", c.budget)
	if len(c.args) > 0 {
		words = append(append(words, "--"), c.args...)
	}
	for i, w := range words {
		if strings.ContainsAny(w, " ?&{") {
			words[i] = "'" + w + "'"
		}
	}
	return strings.Join(words, " ")
}

// report writes the report, and returns its address.
func (c *comparison) report(ctx context.Context, dir string) (string, error) {
	file := filepath.Join(dir, c.ID+".html")
	if err := c.command(ctx, "report", c.ID, "-o", file, "--ledger", c.ledger).Run(); err != nil {
		return "", fmt.Errorf("hone report: %w", err)
	}
	return fileAddress(file), nil
}

// picture is that of the comparison's page in its report.
func (c *comparison) picture(name, report string) picture {
	return picture{name: name, command: c.line(), address: report + "#/comparisons/" + c.ID + "?theme=light",
		ready: "document.querySelector('canvas')", width: 1280, height: 1000}
}

func (c *comparison) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.hone, args...)
	cmd.Dir, cmd.Stderr = "..", os.Stderr
	return cmd
}

// measure compares the two stages, and returns what hone show prints of it.
func (c *comparison) measure(ctx context.Context) (text string, err error) {
	flags := append([]string{"compare", c.a, c.b}, c.flags...)
	flags = append(flags, "--budget", c.budget, "--json", "--ledger", c.ledger)
	if !slices.Contains(flags, "--once") {
		flags = append(flags, "--no-report")
	}
	flags = append(flags, "--")
	answer, err := c.command(ctx, append(flags, c.args...)...).Output()
	if code := new(exec.ExitError); errors.As(err, &code) && code.ExitCode() == 8 {
		c.undecided, err = true, nil // which is a result to look at
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", c.line(), err)
	}
	var document struct {
		Comparison struct {
			ID   string   `json:"id"`
			Runs []string `json:"runs"`
		} `json:"comparison"`
	}
	if err := json.Unmarshal(answer, &document); err != nil {
		return "", err
	}
	c.ID, c.Runs = document.Comparison.ID, document.Comparison.Runs
	shown, err := c.command(ctx, "show", c.ID, "--ledger", c.ledger).Output()
	return "$ " + c.line() + "\n" + string(shown), err
}

// terminalPage shows text as a terminal does.
func terminalPage(text string) string {
	return `<!doctype html><meta charset="utf-8"><style>body{margin:0;background:#fff}` +
		`pre{display:inline-block;margin:0;padding:18px 22px;background:#14181f;color:#e6e9ef;font:13px/1.45 "DejaVu Sans Mono",monospace;border-radius:8px}</style><pre>` +
		html.EscapeString(strings.TrimRight(text, "\n")) + `</pre>`
}

// difference is the flame graph of what changed between the two runs in profiles of this kind.
func (c *comparison) difference(name, report, kind string) picture {
	return picture{name: name, command: c.line(), address: report + "#/diff/" + c.Runs[0] + "/" + c.Runs[1] + "/" +
		kind + "?theme=light",
		ready: "document.querySelector('canvas')", width: 1280, height: 760}
}

func fileAddress(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

// picture is one screenshot.
type picture struct {
	name, address string
	command       string // that measured what it shows
	// ready is an expression that is true when the page is drawn; of a selector of what is taken, empty for the window.
	ready, of     string
	width, height int64
}

func (p picture) take(b *chrome.Browser) ([]byte, error) {
	page, err := b.Open(p.address, p.width, p.height)
	if err != nil {
		return nil, err
	}
	defer page.Close()
	if err := page.Wait(p.ready); err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	take := page.Window
	if p.of != "" {
		take = func() ([]byte, error) { return page.Picture(p.of) }
	}
	data, err := take()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	if problems := page.Problems(); len(problems) > 0 {
		return nil, fmt.Errorf("%s: the page has problems: %q", p.name, problems)
	}
	return smaller(data)
}
