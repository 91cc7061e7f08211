package finder

import (
	"context"
	"net"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/grpctypes"
	"github.com/gohone/hone/internal/wire/recognise"
	"github.com/gohone/hone/internal/wire/schemes"
)

// calls decides what to call on a port that speaks gRPC: the method that --path names. Without one the error lists the
// methods that there are.
func (f *finder) calls(ctx context.Context, best candidate, p Place) (Place, error) {
	if strings.Trim(f.Spec.Path, "/") == "" {
		return p, f.noMethod(ctx, best)
	}
	p.url = f.urlOf(best) + f.Spec.Path
	f.assume("no --target given: assumed %s, %s", f.filled(p.url, best), f.among(best))
	return p, nil
}

// noMethod is the error for a program that speaks gRPC where no method is named. Its methods are those that it tells by
// reflection or, without that, those that its source names.
func (f *finder) noMethod(ctx context.Context, best candidate) error {
	ctx, cancel := context.WithTimeout(ctx, recognise.Patience)
	defer cancel()
	dial := func(ctx context.Context) (net.Conn, error) { return f.Process.DialListener(ctx, best.at) }
	url := f.filled(f.urlOf(best), best) + "/"
	target, err := schemes.Parse(url, ownTLS(url, wire.Options{}))
	if err != nil {
		return err
	}
	types, err := grpctypes.Reflect(ctx, func(ctx context.Context) (net.Conn, error) {
		conn, err := dial(ctx)
		if err != nil {
			return nil, err
		}
		return target.Wrap(ctx, conn)
	}, best.address(), "", nil)
	from, methods := "that the program tells by reflection", []string{}
	if err == nil {
		methods = types.Methods()
	}
	if len(methods) == 0 {
		from, methods = "that its source names (it does not offer reflection)", f.routes().Methods
	}
	beside, next := f.besideCalls(func(c candidate) string {
		if answering, _ := f.tryPaths(ctx, c); len(answering) > 0 {
			return answering[0]
		}
		return "/PATH"
	})
	out := fail.New(fail.BadInput, "the program speaks gRPC on %s, and no method is named%s", best.address(), beside)
	if len(methods) == 0 {
		return out.WithHint("name one: %s; the program does not offer reflection, so that its methods are not known%s",
			f.repeated("--path=/PACKAGE.SERVICE/METHOD"), next)
	}
	const most = 8
	more := ""
	if len(methods) > most {
		more = ", ..."
	}
	return out.WithHint("name one: %s; the methods %s: %s%s%s", f.repeated("--path="+methods[0]), from,
		strings.Join(methods[:min(len(methods), most)], ", "), more, next)
}

// filled is a target with the port or socket of a candidate, as reports show it.
func (f *finder) filled(url string, c candidate) string {
	filled := strings.NewReplacer(templates.Port, strconv.Itoa(c.at.Port), templates.Socket, c.at.Socket).Replace(url)
	return f.shown(filled)
}
