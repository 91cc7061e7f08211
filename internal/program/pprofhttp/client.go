// Package pprofhttp takes profiles from the pages of net/http/pprof, of any Go service that
// serves them.
package pprofhttp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/sys/sameorigin"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/prof"
)

// Client is for one service. It is safe for use by several goroutines.
type Client struct {
	address string // as it was given
	base    string // ends in /debug/pprof or wherever the pages are
	client  *http.Client
	// patience is how long an answer may take beyond the duration that was asked for.
	patience time.Duration
}

// limits bound what a page may send: it may be any service's.
var limits = prof.Limits{Compressed: 64 << 20, Uncompressed: 256 << 20}

// defaultPages is where net/http/pprof puts them.
const defaultPages = "/debug/pprof"

// New returns a client for an address: http://host:port, or with the path of the pages if
// they are not under /debug/pprof. It is fail.BadInput for what is none.
func New(address string) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fail.New(fail.BadInput, "%q is not an address of profiles", address).
			WithHint("http://host:6060, or http://host:6060/path/of/pprof")
	}
	if u.User != nil && u.Scheme == "http" && !sameorigin.LoopbackHost(u.Hostname()) {
		return nil, fail.New(fail.BadInput,
			"%s: it is plain http to another machine, so that anyone on the way can read the password",
			redact.URL(address)).
			WithHint("write it as https://, or reach it through a tunnel at 127.0.0.1")
	}
	u.RawQuery, u.Fragment = "", ""
	if u.Path = strings.TrimSuffix(u.Path, "/"); u.Path == "" {
		u.Path = defaultPages
	}
	return &Client{address: address, base: u.String(), client: &http.Client{CheckRedirect: sameHost},
		patience: 10 * time.Second}, nil
}

// errOtherHost is the error of a redirect that leads to another server than the user named.
var errOtherHost = errors.New("it redirects to another host, which is not followed")

// mostRedirects is how many are followed: the pages of net/http/pprof send one, to the path with a slash.
const mostRedirects = 5

func sameHost(r *http.Request, via []*http.Request) error {
	switch {
	case r.URL.Host != via[0].URL.Host || r.URL.Scheme != via[0].URL.Scheme:
		return fmt.Errorf("%w: %s", errOtherHost, redact.URL(r.URL.String()))
	case len(via) > mostRedirects:
		return fmt.Errorf("it redirects more than %d times", mostRedirects)
	}
	return nil
}

// Address is the address of New.
func (c *Client) Address() string { return c.address }

// Profile takes a profile of a kind of prof.Kinds; d is the length of a CPU profile, and
// of no meaning for the others. Errors are fail.Subject and say what the service answered;
// or the context's.
func (c *Client) Profile(ctx context.Context, kind string, d time.Duration) (*profile.Profile, error) {
	page := c.base + "/" + kind
	patience := c.patience
	if kind == "cpu" {
		// Whole seconds are all that the page understands.
		seconds := max(1, int((d+time.Second/2)/time.Second))
		page = c.base + "/profile?seconds=" + strconv.Itoa(seconds)
		patience += time.Duration(seconds) * time.Second
	}
	body, bounded, err := c.open(ctx, page, patience)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	p, err := prof.Parse(body, limits)
	if err != nil {
		if bounded.Err() != nil {
			return nil, silence(ctx, page, err)
		}
		return nil, fail.New(fail.Subject, "read %s: %w", page, err).WithHint("is it the address of net/http/pprof?")
	}
	return p, nil
}

// Trace takes an execution trace over d, in whole seconds, and calls read with it as it comes. Errors
// are those of Profile, or read's.
func (c *Client) Trace(ctx context.Context, d time.Duration, read func(io.Reader) error) error {
	seconds := max(1, int((d+time.Second/2)/time.Second))
	page := c.base + "/trace?seconds=" + strconv.Itoa(seconds)
	body, bounded, err := c.open(ctx, page, c.patience+time.Duration(seconds)*time.Second)
	if err != nil {
		return err
	}
	defer body.Close()
	if err := read(inputs.Trace.Reader(page, body)); err != nil {
		if bounded.Err() != nil {
			return silence(ctx, page, err)
		}
		return fail.New(fail.Subject, "read %s: %w", page, err).WithHint("is it the address of net/http/pprof?")
	}
	return nil
}

// open asks for a page. The body is to be read before the context that it returns ends, and closed.
func (c *Client) open(ctx context.Context, page string, patience time.Duration) (io.ReadCloser, context.Context,
	error) {
	bounded, cancel := context.WithTimeout(ctx, patience)
	request, err := http.NewRequestWithContext(bounded, http.MethodGet, page, nil)
	if err != nil {
		cancel()
		return nil, nil, fail.New(fail.BadInput, "ask for %s: %w", page, err)
	}
	answer, err := c.client.Do(request)
	if err != nil {
		cancel()
		return nil, nil, silence(ctx, page, err)
	}
	body := &boundedBody{ReadCloser: answer.Body, cancel: cancel}
	if answer.StatusCode != http.StatusOK {
		defer body.Close()
		return nil, nil, refusal(page, answer)
	}
	return body, bounded, nil
}

// boundedBody ends its context when it is closed.
type boundedBody struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (b *boundedBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

// ErrNoPage is in the chain of the error of a page that the service does not have.
var ErrNoPage = errors.New("no such page")

// maxExcuse bounds what is shown of an error page.
const maxExcuse = 200

// refusal is the error of an answer that is not a profile.
func refusal(page string, answer *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(answer.Body, maxExcuse))
	excuse := strings.Join(strings.Fields(string(text)), " ")
	err := fail.New(fail.Subject, "%s answers %s: %s", page, answer.Status, excuse)
	switch {
	case answer.StatusCode == http.StatusNotFound:
		return fail.New(fail.Subject, "%s answers %s: %s (%w)", page, answer.Status, excuse,
			ErrNoPage).WithHint("the service does not serve its profiles there: import _ \"net/http/pprof\", or name their path")
	case strings.Contains(excuse, "cpu profiling already in use"):
		return err.WithHint("a program can take one CPU profile at a time: end the other one, or wait for it")
	}
	return err
}

// silence is the error of a service that could not be reached or went quiet.
func silence(ctx context.Context, page string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("ask for %s: %w", page, ctx.Err())
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fail.New(fail.Subject, "%s does not answer in time",
			page).WithHint("the service hangs, or something in between does")
	}
	var outer *url.Error // it repeats the address and the method
	if errors.As(err, &outer) {
		err = outer.Err
	}
	return fail.New(fail.Subject, "ask for %s: %w", page, err)
}
