package subject

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gohone/hone/internal/program/listeners"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/text/fail"
)

// readiness is the state of waiting for what a Ready says, at one start.
type readiness struct {
	*Ready
	value  string      // templates filled
	before os.FileInfo // of the file, before the start; nil if it was not there
	lines  *lineWatch  // nil unless a line of output is waited for
	shown  string      // what the last look showed, for messages
}

// refuseTaken fails if there is an answer before the program is started.
func (r *readiness) refuseTaken(ctx context.Context, p *prepared) error {
	if p.opts.Isolate || !r.connects(ctx, new(net.Dialer).DialContext) {
		return nil
	}
	return fail.New(fail.Subject, "start %s: %s is taken, and would say that it is ready before it is", p.name, r.text).
		WithHint("stop what listens there (ss -ltnp), or let hone choose: write %s for a port and %s for a socket",
			templates.Port, templates.Socket)
}

// met says whether the program is ready now.
func (r *readiness) met(ctx context.Context, p *running) bool {
	before := r.shown
	ready := r.look(ctx, p)
	if !ready && over(ctx) { // a look that was broken off shows nothing
		r.shown = before
	}
	return ready
}

// over says that ctx has ended, or is about to: a dial gives up at the deadline, and may do so before ctx does.
func over(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && !time.Now().Before(deadline)
}

func (r *readiness) look(ctx context.Context, p *running) bool {
	switch r.kind {
	case readyHTTP:
		return r.answers(ctx, p)
	case readyPort, readySocket:
		return r.connects(ctx, p.dialAt)
	case readyFile:
		now, err := os.Stat(r.value)
		switch {
		case err != nil:
			r.shown = "there is no such file"
		case r.before != nil && os.SameFile(now, r.before) && now.ModTime().Equal(r.before.ModTime()):
			r.shown = "the file is older than the start"
		default:
			return true
		}
		return false
	case readyLog:
		r.shown = "no line of its output matched"
		return closed(r.lines.found)
	}
	return false
}

func (r *readiness) connects(ctx context.Context, dial dialer) bool {
	network, address := "tcp", net.JoinHostPort("127.0.0.1", r.value)
	if r.kind == readySocket {
		network, address = "unix", r.value
	}
	ctx, cancel := context.WithTimeout(ctx, readyPatience)
	defer cancel()
	c, err := dial(ctx, network, address)
	if err != nil {
		r.shown = err.Error()
		return false
	}
	c.Close()
	return true
}

// dialer connects as net.Dialer.DialContext does.
type dialer func(ctx context.Context, network, address string) (net.Conn, error)

// readyPatience is how long one question may take.
const readyPatience = time.Second

// answers asks where the URL says, or else where the program listens, first what is under load: a page for its health
// may have a port of its own. It asks plainly, and then over TLS.
func (r *readiness) answers(ctx context.Context, p *running) bool {
	if !strings.HasPrefix(r.value, "/") {
		u, err := url.Parse(r.value)
		if err != nil {
			r.shown = err.Error()
			return false
		}
		return r.ask(ctx, u, p.dialAt)
	}
	at, err := p.Listeners()
	if err == nil {
		unix, _ := p.Sockets()
		at = append(at, unix...)
	}
	underLoad := func(l listeners.Listener) int {
		if l.Port != 0 && l.Port == p.target.Port || l.Socket != "" && l.Socket == p.target.Socket {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(at, func(a, b listeners.Listener) int { return underLoad(a) - underLoad(b) })
	r.shown = "it does not listen yet"
	for _, l := range at {
		for _, scheme := range []string{"http", "https"} {
			u := &url.URL{Scheme: scheme, Host: "localhost"}
			if l.Socket == "" {
				u.Host = l.DialAddress().String()
			}
			u.Path, u.RawQuery, _ = strings.Cut(r.value, "?")
			if r.ask(ctx, u, func(ctx context.Context, _, _ string) (net.Conn,
				error) {
				return p.DialListener(ctx, l)
			}) {
				return true
			}
		}
	}
	return false
}

// ask makes one request. Redirects are answers like others.
func (r *readiness) ask(ctx context.Context, u *url.URL, dial dialer) bool {
	ctx, cancel := context.WithTimeout(ctx, readyPatience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		r.shown = err.Error()
		return false
	}
	transport := &http.Transport{
		DisableKeepAlives: true, DialContext: dial,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // a program that hone has started
	}
	answer, err := transport.RoundTrip(request)
	if err != nil {
		if ctx.Err() == nil && !strings.Contains(r.shown, "status") { // a try over TLS says less than an answer
			r.shown = fmt.Sprintf("no answer from %s: %v", u.Host, err)
		}
		return false
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10))
	answer.Body.Close()
	r.shown = fmt.Sprintf("%s answered with status %d", u.Host, answer.StatusCode)
	return r.accepts(answer.StatusCode)
}

// lineWatch looks for a line in streams of output.
type lineWatch struct {
	matches func(line string) bool
	found   chan struct{}
	once    sync.Once
}

func newLineWatch(matches func(string) bool) *lineWatch {
	return &lineWatch{matches: matches, found: make(chan struct{})}
}

// stream returns what takes one stream. A line counts when it has ended, or when it has no end and matches as it is.
func (w *lineWatch) stream() io.Writer { return &watchedStream{watch: w} }

type watchedStream struct {
	watch *lineWatch
	line  []byte // that has not ended
}

// Write never fails. It looks at nothing once the line is found.
func (s *watchedStream) Write(b []byte) (int, error) {
	all := len(b)
	for len(b) > 0 && !closed(s.watch.found) {
		end := strings.IndexByte(string(b), '\n')
		part := b
		if end >= 0 {
			part, b = b[:end], b[end+1:]
		} else {
			b = nil
		}
		if room := mostLine - len(s.line); room > 0 {
			s.line = append(s.line, part[:min(len(part), room)]...)
		}
		if s.watch.matches(strings.TrimSuffix(string(s.line), "\r")) {
			s.watch.once.Do(func() { close(s.watch.found) })
		}
		if end >= 0 {
			s.line = s.line[:0]
		}
	}
	return all, nil
}
