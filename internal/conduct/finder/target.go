package finder

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/recognise"
)

// find finds the port that a program is loaded on, and what it speaks.
func (f *finder) find(ctx context.Context) (Place, error) {
	if p, found, err := f.sameAsBefore(ctx); found || err != nil {
		return p, err
	}
	best, err := f.search(ctx)
	if err != nil {
		return Place{}, err
	}
	if err := f.Process.Use(best.at); err != nil {
		return Place{}, err
	}
	if f.Binary.Variant.AfterStart != nil { // until then the program may refuse what it is asked
		if _, err := f.AfterStart(); err != nil {
			return Place{}, err
		}
		best = f.ask(ctx, best.at)
		f.seen[keyOf(best.at)] = best
	}
	p, err := f.judge(ctx, best)
	if err != nil {
		return Place{}, err
	}
	p.at, p.told = keyOf(best.at), f.Process.ListensAsTold(best.at)
	p.moves, p.woke = f.Found != nil && !p.told, f.woke > 0
	return p, nil
}

// judge decides what to do with the best port there is.
func (f *finder) judge(ctx context.Context, best candidate) (Place, error) {
	p := Place{url: f.Spec.Target, options: f.Spec.Protocol}
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
	p.url = f.urlOf(best) + cmp.Or(path, f.Spec.Path, "/")
	p.Others = f.otherTargets(best)
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

// mostOthers bounds the other targets that are named.
const mostOthers = 3

// otherTargets are the same target on the other ports that speak the protocol of the best one.
func (f *finder) otherTargets(best candidate) (targets []string) {
	for _, c := range f.ranked() {
		if keyOf(c.at) == keyOf(best.at) || c.at.Socket != "" || c.seen.Protocol != best.seen.Protocol ||
			len(targets) == mostOthers {
			continue
		}
		targets = append(targets, strings.ReplaceAll(f.urlOf(c), templates.Port, strconv.Itoa(c.at.Port))+
			cmp.Or(f.Spec.Path, "/"))
	}
	return targets
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
		len(o.Expect.Status) == 0 && (len(o.Requests) == 0 || o.IsMix())
}
