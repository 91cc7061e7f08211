// Package chrome opens hone's pages in a headless Chromium, and notes everything that a page must not do: errors in its
// console, and requests to any other host.
package chrome

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// ErrNone says that no Chromium was found.
var ErrNone = errors.New("no chromium in PATH (apt-get install chromium)")

// Find is the path of Chromium, or ErrNone.
func Find() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNone
}

// Browser is a running Chromium.
type Browser struct {
	ctx   context.Context
	close []context.CancelFunc
}

// Start starts Chromium. It ends with Close, or with the context.
func Start(ctx context.Context) (*Browser, error) {
	path, err := Find()
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.DisableGPU,
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("force-color-profile", "srgb"))
	b := &Browser{}
	allocator, cancel := chromedp.NewExecAllocator(ctx, options...)
	b.close = append(b.close, cancel)
	b.ctx, cancel = chromedp.NewContext(allocator)
	b.close = append(b.close, cancel)
	if err := chromedp.Do(b.ctx); err != nil {
		b.Close()
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	return b, nil
}

// Close ends Chromium.
func (b *Browser) Close() {
	for i := len(b.close) - 1; i >= 0; i-- {
		b.close[i]()
	}
}

// Page is one tab.
type Page struct {
	ctx   context.Context
	close context.CancelFunc

	mu       sync.Mutex
	problems []string
	host     string // that requests may go to; empty: none
}

// Patience is how long a page may take for one step, on a machine that does other things besides.
const Patience = 30 * time.Second

// Open opens a new tab of this size at an address: http of a server on this machine, or file.
func (b *Browser) Open(address string, width, height int64) (*Page, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	p := &Page{host: u.Host}
	p.ctx, p.close = chromedp.NewContext(b.ctx)
	if err := chromedp.Listen(p.ctx, p.note); err != nil {
		p.Close()
		return nil, err
	}
	if err := p.Do(chromedp.EmulateViewport(width, height), chromedp.Navigate(address)); err != nil {
		p.Close()
		return nil, fmt.Errorf("open %s: %w", address, err)
	}
	return p, nil
}

// Close closes the tab.
func (p *Page) Close() { p.close() }

// note keeps what a page must not do.
func (p *Page) note(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		d := e.ExceptionDetails
		text := d.Text
		if d.Exception != nil {
			text += " " + d.Exception.Description
		}
		p.problem(fmt.Sprintf("exception: %s (%s:%d)", text, d.URL, d.LineNumber+1))
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			var words []string
			for _, a := range e.Args {
				words = append(words, string(a.Value)+a.Description)
			}
			p.problem(fmt.Sprintf("console %s: %s", e.Type, strings.Join(words, " ")))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			p.problem(fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
		}
	case *network.EventRequestWillBeSent:
		u, err := url.Parse(e.Request.URL)
		if err != nil || u.Host != p.host && (u.Scheme != "data" && u.Scheme != "blob") {
			p.problem("request to another host: " + e.Request.URL)
		}
	}
}

func (p *Page) problem(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.problems = append(p.problems, text)
}

// Problems are what the page did that it must not do.
func (p *Page) Problems() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.problems...)
}

// Do carries out steps, each within Patience.
func (p *Page) Do(steps ...chromedp.Action[chromedp.Void]) error {
	for _, step := range steps {
		ctx, cancel := context.WithTimeout(p.ctx, Patience)
		err := chromedp.Do(ctx, step)
		cancel()
		if err != nil {
			return err
		}
	}
	return nil
}

// Value is what an expression of JavaScript comes to.
func Value[T any](p *Page, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(p.ctx, Patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		err = fmt.Errorf("%s: %w", expression, err)
	}
	return v, err
}

// Await is the text that a promise of JavaScript comes to.
func (p *Page) Await(expression string) (string, error) {
	ctx, cancel := context.WithTimeout(p.ctx, Patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[string](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		err = fmt.Errorf("%s: %w", expression, err)
	}
	return v, err
}

// Wait waits until an expression of JavaScript is true.
func (p *Page) Wait(expression string) error {
	every := time.NewTicker(20 * time.Millisecond)
	defer every.Stop()
	for deadline := time.Now().Add(Patience); ; <-every.C {
		is, err := Value[bool](p, "!!("+expression+")")
		switch {
		case err != nil:
			return err
		case is:
			return nil
		case time.Now().After(deadline):
			text, _ := Value[string](p, "document.body.innerText.slice(0, 2000)")
			return fmt.Errorf("not within %v: %s\nthe page has: %s\nproblems: %q", Patience, expression, text,
				p.Problems())
		}
	}
}

// Picture is a screenshot of the whole page as PNG; of the element, if a selector is given.
func (p *Page) Picture(selector string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(p.ctx, Patience)
	defer cancel()
	if selector == "" {
		return chromedp.Run(ctx, chromedp.FullScreenshot(100))
	}
	return chromedp.Run(ctx, chromedp.Screenshot(chromedp.CSS(selector)))
}

// Window is a screenshot of what the window shows, as PNG.
func (p *Page) Window() ([]byte, error) {
	ctx, cancel := context.WithTimeout(p.ctx, Patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.CaptureScreenshot())
}
