// Command pictures makes the pictures of the README from real runs: what hone compare prints, the report of that comparison,
// and the flame graph of what changed.
//
//	go build -o bin/hone ./cmd/hone
//	cd ui && go run ./pictures
//
// It needs Chromium, and a minute in which the machine does nothing else. Look at the pictures before you commit them.
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
	"strings"

	"github.com/gohone/hone/ui/chrome"
)

func main() {
	hone := flag.String("hone", filepath.Join("..", "bin", "hone"), "hone's binary")
	out := flag.String("o", filepath.Join("..", "docs", "pictures"), "directory of the pictures")
	budget := flag.String("budget", "20s", "what the comparison may take")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *hone, *out, *budget); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// The comparison that the pictures are of: the first and the last stage of the visitor counter.
const (
	program = "./services/visits/cmd/visits"
	stageA  = program + " -stage fprintf"
	stageB  = program + " -stage final"
	request = "/hello?name=Ann"
)

func run(ctx context.Context, hone, out, budget string) (err error) {
	if hone, err = filepath.Abs(hone); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "hone-pictures-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c := comparison{hone: hone, ledger: filepath.Join(dir, ".hone")}
	text, err := c.measure(ctx, budget)
	if err != nil {
		return err
	}
	report := filepath.Join(dir, "report.html")
	if err := c.command(ctx, "report", c.ID, "-o", report, "--ledger", c.ledger).Run(); err != nil {
		return fmt.Errorf("hone report: %w", err)
	}
	terminal := filepath.Join(dir, "terminal.html")
	if err := os.WriteFile(terminal, []byte(terminalPage(text)), 0o600); err != nil {
		return err
	}
	b, err := chrome.Start(ctx)
	if err != nil {
		return err
	}
	defer b.Close()
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, p := range []picture{
		{name: "compare", address: fileAddress(terminal), ready: "document.querySelector('pre')", of: "pre", width: 1200, height: 700},
		{name: "report", address: fileAddress(report) + "#/comparisons/" + c.ID + "?theme=light", ready: "document.querySelector('canvas')", width: 1280, height: 1100},
		{name: "flame", address: fileAddress(report) + "#/diff/" + c.Runs[0] + "/" + c.Runs[1] + "/cpu?theme=light", ready: "document.querySelector('canvas')", width: 1280, height: 760},
	} {
		if err := p.take(b, out); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// comparison is what was measured.
type comparison struct {
	hone, ledger string
	ID           string
	Runs         []string
}

func (c *comparison) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.hone, args...)
	cmd.Dir, cmd.Stderr = "..", os.Stderr
	return cmd
}

// measure compares the two stages, and returns what hone show prints of it.
func (c *comparison) measure(ctx context.Context, budget string) (text string, err error) {
	answer, err := c.command(ctx, "compare", stageA, stageB, "--budget", budget, "-c", "20", "--path", request, "--json", "--no-report", "--ledger", c.ledger).Output()
	if err != nil {
		return "", fmt.Errorf("hone compare: %w", err)
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
	command := fmt.Sprintf("$ hone compare '%s' '%s' --path '%s' --budget %s -c 20\n", stageA, stageB, request, budget)
	return command + string(shown), err
}

// terminalPage shows text as a terminal does.
func terminalPage(text string) string {
	return `<!doctype html><meta charset="utf-8"><style>body{margin:0;background:#fff}` +
		`pre{display:inline-block;margin:0;padding:18px 22px;background:#14181f;color:#e6e9ef;font:13px/1.45 "DejaVu Sans Mono",monospace;border-radius:8px}</style><pre>` +
		html.EscapeString(strings.TrimRight(text, "\n")) + `</pre>`
}

func fileAddress(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

// picture is one screenshot.
type picture struct {
	name, address string
	// ready is an expression that is true when the page is drawn; of a selector of what is taken, empty for the window.
	ready, of     string
	width, height int64
}

func (p picture) take(b *chrome.Browser, out string) error {
	page, err := b.Open(p.address, p.width, p.height)
	if err != nil {
		return err
	}
	defer page.Close()
	if err := page.Wait(p.ready); err != nil {
		return err
	}
	take := page.Window
	if p.of != "" {
		take = func() ([]byte, error) { return page.Picture(p.of) }
	}
	data, err := take()
	if err != nil {
		return err
	}
	if problems := page.Problems(); len(problems) > 0 {
		return fmt.Errorf("the page has problems: %q", problems)
	}
	file := filepath.Join(out, p.name+".png")
	fmt.Printf("%s: %d kB\n", file, len(data)/1000)
	return os.WriteFile(file, data, 0o644)
}
