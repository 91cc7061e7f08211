package httpmsg

import (
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/requests"
	"github.com/gohone/hone/internal/wire/turns"
)

// target is one target of a mix: a URL, a method, and options of its own.
type target struct {
	url     *url.URL
	method  string
	options wire.Options
	weight  int
}

// maxListed bounds how many requests are taken in an order, which has no round to lay out.
const maxListed = 100_000

// targetsOf are the targets that o asks for: u and those of the mix, or the list of
// requests instead of both.
func targetsOf(method string, u *url.URL, o wire.Options) ([]target, error) {
	if len(o.Requests) > 0 {
		return listedTargets(u, o)
	}
	if o.Weight < 0 {
		return nil, fail.New(fail.BadInput, "weight of the first target is %d, want at least 1", o.Weight)
	}
	if len(o.Mix) >= MaxTargets {
		return nil, fail.New(fail.BadInput, "a mix of %d targets, want at most %d", len(o.Mix)+1, MaxTargets).
			WithHint("put what differs into a feed, and {name} in the URL")
	}
	all := []target{{u, method, o, max(o.Weight, 1)}}
	for _, w := range o.Mix {
		if w.Weight < 1 {
			return nil, fail.New(fail.BadInput, "weight of target %q is %d, want at least 1", w.URL, w.Weight)
		}
		further, err := mixURL(u, w.URL)
		if err != nil {
			return nil, err
		}
		all = append(all, target{further, method, o, w.Weight})
	}
	return all, nil
}

// listedTargets are the requests of a list, at the address of u.
func listedTargets(u *url.URL, o wire.Options) ([]target, error) {
	refuse := func(hint, format string, args ...any) ([]target, error) {
		return nil, fail.New(fail.BadInput, format, args...).WithHint("%s", hint)
	}
	most := MaxTargets
	if len(o.Order) > 0 {
		most = maxListed
	}
	switch {
	case o.Method != "" || len(o.Body) > 0:
		return refuse("leave out --method and --body", "the requests of a list have methods and bodies of their own")
	case len(o.Mix) > 0 || o.Weight != 0:
		return refuse("give one target: its host and port", "further targets do not go with a list of requests")
	case u.Path != "" && u.Path != "/" || u.RawQuery != "":
		return refuse("give the host and port alone",
			"the target has the path %q, and the requests of a list have their own", u.RequestURI())
	case len(o.Requests) > most:
		return refuse("take fewer", "a list of %d requests, want at most %d", len(o.Requests), most)
	}
	var all []target
	for i, r := range o.Requests {
		one, err := PathURL(u, r.Path)
		switch {
		case err != nil:
			return nil, fail.New(fail.BadInput, "request %d of the list: path %q: %w", i+1, r.Path,
				err).WithHint("a path begins with / and is encoded: /a%%20b?c=d")
		case r.Weight < 0:
			return nil, fail.New(fail.BadInput, "request %d of the list has the weight %d, want at least 1", i+1,
				r.Weight)
		}
		own := o
		own.Raw = o.Raw || !r.Filled // braces in what was recorded mean nothing
		own.Method, own.Body, own.Headers = r.Method, r.Body, requests.MergeHeaders(r.Headers, o.Headers)
		method, err := Method(own)
		if err != nil {
			return nil, err
		}
		all = append(all, target{one, method, own, max(r.Weight, 1)})
	}
	return all, nil
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

// inOrder makes the mix take its turns in the order given, all connections together: the
// next request of the list goes to the connection that sends next.
func (m *Mix) inOrder(order []uint32) error {
	m.Shared = true
	m.Round = make([]turns.Turn, len(order))
	for i, target := range order {
		if int(target) >= len(m.requests) {
			return fail.New(fail.BadInput, "turn %d of the order is of request %d, and there are %d", i+1, target+1,
				len(m.requests))
		}
		m.Round[i] = turns.Turn{Target: int(target)}
	}
	return nil
}

// methods are those of all requests of o, for the checks of answers: HEAD if one is.
func methodOfAll(method string, list []requests.Request) (one string, mixed bool) {
	heads := 0
	for _, r := range list {
		if r.Method == "HEAD" {
			heads++
		}
	}
	switch {
	case heads > 0:
		return "HEAD", heads < len(list)
	case len(list) > 0:
		return "GET", false
	}
	return method, false
}
