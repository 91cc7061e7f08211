package lab

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/recognise"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/internal/wire/vary"
)

// place is where a variant is loaded, as its first start showed: what the later ones begin
// with, without asking again.
type place struct {
	at  string // the port, or the path of the socket, as found at the last start: see keyOf
	url string // with templates.Port or templates.Socket for it
	// told says that it is what the program was told; moves that it was another one at
	// the next start, so that it is found again each time.
	given, moves bool
	// woke says that it answered for a while that it was not ready: each start waits for that.
	woke bool
	// options are those of the request, and what the port needs besides them.
	options wire.Options
}

// mustFind says that the port was not named: there is no target, or one whose port or socket is the
// template and a program that is not told it.
func (s *start) mustFind() bool {
	r := s.task
	v := s.binary.Variant
	missing := func(template string) bool {
		return strings.Contains(r.Target, template) && !holds(template, v.Args, v.Env, v.RunEnv, r.Args)
	}
	return r.Target == "" || missing(templates.Port) || missing(templates.Socket)
}

// plannedAddress is the target's host:port, with the port template if it has one, or the path of its Unix socket, with
// that template; empty if it has to be found, and so is the network if there is no target.
func (s *start) plannedAddress() (network, address string, err error) {
	switch {
	case s.task.Protocol.HTTP3 && s.mustFind():
		return "", "", fail.New(fail.BadInput,
			"where a program speaks HTTP/3 has to be named: hone finds ports of TCP only").
			WithHint("name it: --target https://127.0.0.1:8443/ --set http3; or let hone choose the port: write {port} in the program's arguments and in the target")
	case s.task.Target == "":
		return "", "", nil
	case s.mustFind() && schemes.OverUnix(s.task.Target):
		return "unix", "", nil
	case s.mustFind():
		return "tcp", "", nil
	}
	target, err := parseTarget(s.task.Target, s.task.Protocol, s.binary.Variant)
	if err != nil {
		return "", "", err
	}
	return target.Network, target.Address, nil
}

// resolveTarget returns the target of this start: the named one with its port filled in, or
// what a look at the subject's listeners finds. shown is how it is stored and printed: with the port, but without the
// path of a socket in a directory of hone's, which is another one each time.
func (s *start) resolveTarget(ctx context.Context) (target resolved, shown string, err error) {
	p := place{url: s.task.Target, options: s.task.Protocol}
	if s.mustFind() {
		if p, err = s.find(ctx); err != nil {
			return target, shown, err
		}
	}
	url, err := s.fillAddress(p.url)
	if err != nil {
		return target, shown, err
	}
	if err := s.seed(); err != nil {
		return target, shown, err
	}
	shown = s.shown(url)
	target.url = s.process.Fill(url)
	if p.options.Mix, err = s.fillMix(p.options.Mix); err != nil {
		return target, shown, err
	}
	target.options = ownTLS(target.url, s.values.fill(target.url, p.options))
	if s.unseen {
		target.options = vary.LikeOthers(target.url, target.options)
	}
	target.Target, err = schemes.Parse(target.url, target.options)
	return target, shown, err
}

// resolved is a target with what it was read from.
type resolved struct {
	schemes.Target
	url     string
	options wire.Options
}

// shown is a text with the template instead of a path that is another one at each start.
func (s *start) shown(text string) string {
	if socket := s.process.TemplateSocket(); socket != "" {
		return strings.ReplaceAll(text, socket, templates.Socket)
	}
	return text
}

// fillAddress puts what is under load in the place of its template.
func (s *start) fillAddress(url string) (string, error) {
	address := s.process.Address()
	if s.process.Network() == "unix" {
		return strings.ReplaceAll(url, templates.Socket, address), nil
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", fmt.Errorf("read address of the program: %w", err)
	}
	return strings.ReplaceAll(url, templates.Port, port), nil
}

// fillMix is a mix of targets with what is under load in the place of its templates.
func (s *start) fillMix(mix []wire.Weighted) ([]wire.Weighted, error) {
	filled := slices.Clone(mix)
	for i := range filled {
		url, err := s.fillAddress(filled[i].URL)
		if err != nil {
			return nil, err
		}
		filled[i].URL = s.process.Fill(url)
	}
	return filled, nil
}

// ownTLS leaves out the check of the certificate: it is that of a program that hone itself has
// started, and whose sockets it has looked up. A user who names an authority or a name gets
// the check.
func ownTLS(target string, o wire.Options) wire.Options {
	if (strings.HasPrefix(target, "https") || strings.HasPrefix(target, "grpcs") || strings.HasPrefix(target, "wss")) &&
		o.TLS.CAs == "" && o.TLS.ServerName == "" {
		o.TLS.Insecure = true
	}
	return o
}

// find finds the port that a subject is loaded on, and what it speaks.
func (s *start) find(ctx context.Context) (place, error) {
	f := newFinder(s)
	if p, found, err := f.again(ctx); found || err != nil {
		return p, err
	}
	best, err := f.search(ctx)
	if err != nil {
		return place{}, err
	}
	if err := s.process.Use(best.at); err != nil {
		return place{}, err
	}
	if s.binary.Variant.AfterStart != nil { // until then the program may refuse what it is asked
		if err := s.seed(); err != nil {
			return place{}, err
		}
		best = f.ask(ctx, best.at)
		f.seen[keyOf(best.at)] = best
	}
	p, err := f.judge(ctx, best)
	if err != nil {
		return place{}, err
	}
	p.at, p.given = keyOf(best.at), s.process.ListensAsTold(best.at)
	p.moves, p.woke = s.found != nil && !p.given, f.woke > 0
	s.found = &p
	return p, nil
}

// judge decides what to do with the best port there is.
func (f *finder) judge(ctx context.Context, best candidate) (place, error) {
	p := place{url: f.task.Target, options: f.task.Protocol}
	if f.named != nil {
		f.assume("the target names no port: assumed %s, %s", f.shown(best.address()), f.among(best))
		return p, nil
	}
	s := best.seen
	if best.use == recognise.Foreign {
		return p, f.foreign(best)
	}
	if best.use == recognise.Calls {
		return f.calls(ctx, best, p)
	}
	if s.Protocol == recognise.HTTP2 {
		p.options.HTTP2 = true
	}
	if s.Protocol == recognise.Redis {
		return f.redis(best, p), nil
	}
	path, tried, err := f.otherPaths(ctx, best)
	if err != nil {
		return p, err
	}
	p.url = f.urlOf(best) + cmp.Or(path, f.task.Path, "/")
	notes := ""
	if f.woke > 0 {
		notes += fmt.Sprintf("; it answered 503 for its first %s, and hone waits for that to end at each start",
			units.Seconds(f.woke))
	}
	if s.Encrypted {
		notes += "; its certificate is not verified"
	}
	if s.Protocol == recognise.HTTP2 {
		notes += "; it speaks HTTP/2 only, and so does hone with it"
	}
	f.assume("no --target given: assumed %s, %s%s%s", f.filled(p.url, best), f.among(best), notes, tried)
	return p, nil
}

// urlOf is the target of a port or socket up to its path, with the template that later starts fill.
func (f *finder) urlOf(c candidate) string {
	scheme := "http"
	if c.use == recognise.Calls {
		scheme = "grpc"
	}
	if c.seen.Encrypted {
		scheme += "s"
	}
	switch {
	case c.at.Socket != "" && scheme == "http":
		return "unix:" + templates.Socket + ":"
	case c.at.Socket != "":
		return scheme + "+unix:" + templates.Socket + ":"
	}
	return scheme + "://" + net.JoinHostPort(c.at.DialAddress().Addr().String(), templates.Port)
}

// assume notes what was assumed, once.
func (f *finder) assume(format string, args ...any) { f.assumption = fmt.Sprintf(format, args...) }

// plainGet says that requests are as recognise asks them.
func plainGet(o wire.Options) bool {
	return (o.Method == "" || o.Method == "GET") && len(o.Headers) == 0 && len(o.Body) == 0 &&
		len(o.Expect.Status) == 0 && len(o.Requests) == 0 && len(o.Steps) == 0
}

// checkPath says what is wrong with a --path.
func checkPath(path, target string) error {
	if path == "" {
		return nil
	}
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") ||
		strings.ContainsFunc(path, func(c rune) bool { return c <= ' ' || c == 0x7f }) {
		return fail.New(fail.BadInput, "--path %q is not a path",
			path).WithHint("write it like /items or /items?page=2")
	}
	_, overUnix := schemes.CutSocket(target)
	if target != "" && !overUnix && !strings.HasPrefix(target, "http://") && !strings.HasPrefix(target, "https://") {
		return fail.New(fail.BadInput, "--path %s is for HTTP, and the target is %s", path,
			target).WithHint("leave out --path, or --target")
	}
	return nil
}
