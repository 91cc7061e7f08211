package schemes

import (
	"errors"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/http1"
	"github.com/gohone/hone/internal/wire/http2"
	"github.com/gohone/hone/internal/wire/resp"
	"github.com/gohone/hone/internal/wire/tcp"
	"github.com/gohone/hone/internal/wire/ws"
)

// optionGroup is a group of options that a protocol takes or refuses as a whole.
type optionGroup struct {
	what string                    // as messages name it
	used func(o wire.Options) bool // whether the user set one of them
	by   []*wire.Scheme            // the protocols that take it
}

// optionGroups lists all options with the protocols that take them.
var optionGroups = []optionGroup{
	{"a payload size", func(o wire.Options) bool { return o.PayloadBytes != 0 }, []*wire.Scheme{tcp.Framed}},
	{"a method", func(o wire.Options) bool { return o.Method != "" }, httpSchemes},
	{"a header", func(o wire.Options) bool { return len(o.Headers) > 0 },
		slices.Concat(grpcSchemes, webSocketSchemes, httpSchemes)},
	{"a body", func(o wire.Options) bool { return o.Body != nil },
		slices.Concat([]*wire.Scheme{tcp.TCP}, redisSchemes, grpcSchemes, webSocketSchemes, httpSchemes)},
	{"a mix of targets", func(o wire.Options) bool { return o.IsMix() }, httpSchemes},
	{"a list of requests", func(o wire.Options) bool { return o.IsList() }, httpSchemes},
	{"a sequence of steps", func(o wire.Options) bool { return o.Sequence }, httpSchemes},
	{"a feed", func(o wire.Options) bool { return o.Feed != nil },
		slices.Concat(redisSchemes, grpcSchemes, webSocketSchemes, httpSchemes)},
	{"a check of answers", func(o wire.Options) bool { return wire.IsSet(o.Expect) },
		slices.Concat(redisSchemes, grpcSchemes, webSocketSchemes, httpSchemes)},
	{"HTTP/2", func(o wire.Options) bool { return o.HTTP2 }, httpSchemes},
	{"an option of streams", func(o wire.Options) bool { return wire.IsSet(o.Streams) },
		slices.Concat(grpcSchemes, webSocketSchemes, httpSchemes)},
	{"HTTP/3", func(o wire.Options) bool { return o.HTTP3 }, []*wire.Scheme{http1.HTTPS}},
	{"a TLS option", func(o wire.Options) bool { return wire.IsSet(o.TLS) },
		[]*wire.Scheme{http1.HTTPS, http2.GRPCS, ws.WSS, resp.Rediss}},
	{"an option of WebSocket", func(o wire.Options) bool { return wire.IsSet(o.WebSocket) }, webSocketSchemes},
	{"an option of gRPC", func(o wire.Options) bool { return wire.IsSet(o.GRPC) }, grpcSchemes},
	{"a description of frames", func(o wire.Options) bool { return wire.IsSet(o.Frame) }, []*wire.Scheme{tcp.TCP}},
}

var (
	httpSchemes = []*wire.Scheme{http1.HTTP, http1.HTTPS, http1.Unix}
	grpcSchemes = []*wire.Scheme{http2.GRPC, http2.GRPCS}
	// webSocketSchemes are those of WebSocket.
	webSocketSchemes = []*wire.Scheme{ws.WS, ws.WSS}
	redisSchemes     = []*wire.Scheme{resp.Redis, resp.Rediss}
)

// checkOptions refuses all options that the protocol does not have, at once: an option
// without effect would leave the user with another load than the one asked for.
func checkOptions(s *wire.Scheme, o wire.Options) error {
	var faults []error
	var hints []string
	for _, g := range optionGroups {
		if !g.used(o) || slices.Contains(g.by, s) {
			continue
		}
		faults = append(faults, fail.New(fail.BadInput, "%s does not belong to %s", g.what, s.Name))
		hints = append(hints, g.what+" goes with "+targetsOf(g.by))
	}
	if len(faults) == 0 {
		return nil
	}
	return fail.New(fail.BadInput, "%w", errors.Join(faults...)).
		WithHint("leave it out: %s", strings.Join(hints, "; "))
}

// targetsOf lists protocols as they begin a target.
func targetsOf(schemes []*wire.Scheme) string {
	if len(schemes) == 0 {
		return "no protocol"
	}
	var all []string
	for _, s := range schemes {
		if _, _, isURL := strings.Cut(s.Example, "://"); isURL {
			all = append(all, s.Name+"://")
		} else {
			all = append(all, s.Name+":")
		}
	}
	return strings.Join(all, ", ") + " targets"
}
