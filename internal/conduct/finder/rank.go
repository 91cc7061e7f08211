package finder

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/wire/recognise"
)

// methodPath is a path of gRPC: /package.Service/Method.
var methodPath = regexp.MustCompile(`^/([A-Za-z_]\w*\.)*[A-Za-z_]\w*/[A-Z]\w*$`)

// wantsCalls says that the request is one of gRPC.
func (p *Program) wantsCalls() bool {
	c := p.Spec.Protocol.GRPC
	return c.ProtoSet != "" || len(c.Protos) > 0 || c.EachMessage ||
		strings.Contains(p.Spec.Path, ".") && methodPath.MatchString(p.Spec.Path)
}

// rankOf is how well a port suits the request, the best one highest: what can be loaded as it is stands before what has
// to be named first, unless the request names it.
func (p *Program) rankOf(u recognise.Use) int {
	switch {
	case u != recognise.Calls:
		return 2 * int(u)
	case p.wantsCalls():
		return 2*int(recognise.Serves) + 1
	case strings.Trim(p.Spec.Path, "/") != "": // of HTTP
		return 2*int(recognise.Missing) - 1
	}
	return 2 * int(u)
}

// useFor is what a port is for under this request. It was asked plainly: where the request is another one, a refusal of
// the plain one says that something is there.
func (p *Program) useFor(s recognise.Seen) recognise.Use {
	web := s.Protocol == recognise.HTTP || s.Protocol == recognise.HTTP2
	if web && !plainGet(p.Spec.Protocol) && s.Status >= 400 && s.Status < 500 && s.Status != http.StatusNotFound {
		return recognise.Serves
	}
	return s.Use()
}

// alsoCalls says how a port of gRPC is loaded that stands beside the one that was chosen; empty without any.
func (f *finder) alsoCalls(best candidate) string {
	if best.use == recognise.Calls || !slices.ContainsFunc(f.ranked(),
		func(c candidate) bool { return c.use == recognise.Calls }) {
		return ""
	}
	method := "/PACKAGE.SERVICE/METHOD"
	if named := f.routes().Methods; len(named) > 0 {
		method = named[0]
	}
	return "; --path " + method + " calls the port of gRPC"
}

// besideCalls describes the ports of HTTP that stand beside one of gRPC whose method is not named, with the command
// that loads the first of them.
func (f *finder) besideCalls(try func(candidate) string) (seen, next string) {
	for _, c := range f.ranked() {
		if c.seen.Protocol != recognise.HTTP && c.seen.Protocol != recognise.HTTP2 {
			continue
		}
		seen += fmt.Sprintf("; %s %s", f.shown(c.address()), f.showed(c))
		if next == "" {
			next = "; or load " + f.shown(c.address()) + ": " +
				f.repeated("--target="+strings.TrimSuffix(f.filled(f.urlOf(c), c), "/")+try(c))
		}
	}
	return seen, next
}
