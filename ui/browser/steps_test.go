package browser

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Keys.
const (
	arrowDown, arrowLeft, backspace, end, home = kb.ArrowDown, kb.ArrowLeft, kb.Backspace, kb.End, kb.Home
	enter, escape, tab                         = kb.Enter, kb.Escape, kb.Tab
)

func focus(selector string) chromedp.Action[chromedp.Void] {
	return chromedp.Focus(chromedp.CSS(selector))
}

func reload() chromedp.Action[chromedp.Void] { return chromedp.Reload() }

func resize(width, height int64) chromedp.Action[chromedp.Void] {
	return chromedp.EmulateViewport(width, height)
}

func visit(address string) chromedp.Action[chromedp.Void] { return chromedp.Navigate(address) }

// choose picks an option of a select, as a user does.
func choose(selector, value string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](fmt.Sprintf(
		`(() => { const s = document.querySelector(%q); s.value = %q; s.dispatchEvent(new Event("change", { bubbles: true })) })()`, selector, value))
}

// start is the world, for a test.
func start(t *testing.T) *world {
	t.Helper()
	return shared(t)
}

// output is what a command of hone prints about the ledger.
func (w *world) output(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.hone, append(args, "--ledger", w.ledger)...)
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("hone %q: %w", args, err)
	}
	return string(out), err
}
