package httpmsg

import (
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/turns"
)

// target is a request with the address that it goes to, and the options for it alone: its method is one of them.
type target struct {
	url     *url.URL
	options wire.Options
	weight  int
}

// The most requests that take turns: MaxTargets bounds the work of laying out a round, see turns.MaxRound. An order
// has no round to lay out.
const (
	MaxTargets = 10_000
	maxListed  = 100_000
)

// targetsOf are the targets that o asks for: u, a mix of u and further ones, or a list instead.
func targetsOf(u *url.URL, o wire.Options) (all []target, err error) {
	if err := checkTogether(u, o); err != nil {
		return nil, err
	}
	requests := o.Requests
	if len(requests) == 0 {
		requests = make([]wire.Request, 1)
	}
	for i, r := range requests {
		t := target{url: u, options: o.Of(r), weight: max(r.Weight, 1)}
		switch {
		case r.Weight < 0:
			return nil, fail.New(fail.BadInput, "request %d has the weight %d, want at least 1", i+1, r.Weight)
		case o.IsList():
			if t.url, err = PathURL(u, r.Path); err != nil {
				return nil, fail.New(fail.BadInput, "request %d of the list: path %q: %w", i+1, r.Path,
					err).WithHint("a path begins with / and is encoded: /a%%20b?c=d")
			}
		case r.Path != "":
			if t.url, err = mixURL(u, r.Path); err != nil {
				return nil, err
			}
		}
		if t.options.Method, err = Method(t.options); err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// checkTogether refuses what does not go with several requests.
func checkTogether(u *url.URL, o wire.Options) error {
	refuse := func(hint, format string, args ...any) error {
		return fail.New(fail.BadInput, format, args...).WithHint("%s", hint)
	}
	most := MaxTargets
	if len(o.Order) > 0 {
		most = maxListed
	}
	switch {
	case o.IsMix() && len(o.Requests) > MaxTargets:
		return refuse("put what differs into a feed, and {name} in the URL", "a mix of %d targets, want at most %d",
			len(o.Requests), MaxTargets)
	case !o.IsList():
	case o.Method != "" || len(o.Body) > 0:
		return refuse("leave out --method and --body", "the requests of a list have methods and bodies of their own")
	case u.Path != "" && u.Path != "/" || u.RawQuery != "":
		return refuse("give the host and port alone",
			"the target has the path %q, and the requests of a list have their own", u.RequestURI())
	case len(o.Requests) > most:
		return refuse("take fewer", "a list of %d requests, want at most %d", len(o.Requests), most)
	}
	return nil
}

// PathURL is a path and query, which are encoded, at the address of u. The path is kept
// as it is written.
func PathURL(u *url.URL, text string) (*url.URL, error) {
	path, query, asks := strings.Cut(text, "?")
	if !strings.HasPrefix(path, "/") || !httpguts.ValidHeaderFieldValue(text) || strings.ContainsAny(text, " #") {
		return nil, fail.New(fail.BadInput, "it is not a path and a query")
	}
	plain, err := url.PathUnescape(path)
	if err != nil {
		return nil, err
	}
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: plain, RawPath: path, RawQuery: query,
		ForceQuery: asks && query == ""}, nil
}

// mixURL reads a further target: a URL on the host of the first, or the path of one.
func mixURL(first *url.URL, text string) (*url.URL, error) {
	u, err := url.Parse(strings.ReplaceAll(text, ":"+wire.PortTemplate, ":0"))
	if err != nil {
		return nil, fail.New(fail.BadInput, "parse target %q: %w", text, err).
			WithHint("write it like %s, or the path alone", Example)
	}
	if u.Scheme == "" && u.Host == "" && strings.HasPrefix(text, "/") {
		u.Scheme, u.Host = first.Scheme, first.Host
		return u, nil
	}
	host, port := u.Hostname(), u.Port()
	switch {
	case strings.Contains(u.Host+"/", ":0/") && strings.Contains(text, ":"+wire.PortTemplate):
		port = wire.PortTemplate
	case port == "":
		port = defaultPort(u.Scheme)
	}
	if !strings.EqualFold(u.Scheme, first.Scheme) || u.User != nil ||
		!strings.EqualFold(wire.Bracket(host)+":"+port, first.Host) {
		return nil, fail.New(fail.BadInput, "target %q of the mix is not on %s://%s, where the connections lead",
			text, first.Scheme, first.Host).
			WithHint("give the path alone, like /items; load another server with a run of its own")
	}
	u.Host = first.Host
	return u, nil
}

// Method is the method of a request.
func Method(o wire.Options) (string, error) {
	method := o.Method
	switch {
	case method == "" && len(o.Body) > 0:
		method = "POST"
	case method == "":
		method = "GET"
	case !httpguts.ValidHeaderFieldName(method):
		return "", fail.New(fail.BadInput, "HTTP method %q is not a token", method).
			WithHint("methods are words such as GET or POST")
	case strings.EqualFold(method, "CONNECT"):
		return "", fail.New(fail.BadInput, "HTTP method CONNECT opens a tunnel, which cannot be loaded").
			WithHint("load the server that the proxy sends requests to")
	}
	return method, nil
}

// inOrder makes the mix take its turns in the order given, all connections together: the
// next request of the list goes to the connection that sends next.
func (m *Mix) inOrder(order []uint32) error {
	m.Shared = true
	m.Round = make([]turns.Turn, len(order))
	for i, target := range order {
		if int(target) >= len(m.Weights) {
			return fail.New(fail.BadInput, "turn %d of the order is of request %d, and there are %d", i+1, target+1,
				len(m.Weights))
		}
		m.Round[i] = turns.Turn{Target: int(target)}
	}
	return nil
}
