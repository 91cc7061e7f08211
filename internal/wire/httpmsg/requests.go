package httpmsg

import (
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/answer"
)

// Requests are the requests of all versions of HTTP, what their answers have to be, and
// their method. They are checked: headers, weights and further targets.
func Requests(u *url.URL, o wire.Options) (mix *Mix, checks *answer.Checks, method string, err error) {
	if method, err = Method(o); err != nil {
		return nil, nil, "", err
	}
	method, _ = methodOfAll(method, o.Requests)
	if checks, err = answer.NewChecks(o.Expect, method, o.Headers); err != nil {
		return nil, nil, "", err
	}
	mix, err = NewMix(method, u, o)
	return mix, checks, method, err
}

// Method is the method of all requests.
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

// AsksToClose says that the headers end every connection after its first answer (RFC
// 9112 section 9.6).
func AsksToClose(headers []string) bool {
	return wire.AnyHeader(headers, "Connection", func(value string) bool {
		return wire.HasToken([]byte(value), "close")
	})
}

// Streams is what HTTP/2 and HTTP/3 have in common: the turns of the targets, what their answers have to be, and the
// targets, whose requests each version encodes.
func Streams[R any](u *url.URL, o wire.Options, encode func(string, *url.URL, wire.Options) (R, error)) (*Mix,
	*answer.Checks, []R, error) {
	if err := o.Feed.Validate(); err != nil {
		return nil, nil, nil, err
	}
	mix, checks, method, err := Requests(u, o)
	if err != nil {
		return nil, nil, nil, err
	}
	targets, err := targetsOf(method, u, o)
	if err != nil {
		return nil, nil, nil, err
	}
	var all []R
	for _, t := range targets {
		r, err := encode(t.method, t.url, t.options)
		if err != nil {
			return nil, nil, nil, err
		}
		all = append(all, r)
	}
	return mix, checks, all, nil
}

// WithoutQuery is the path of a request without its query.
func WithoutQuery(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return path
}

// MaxHead bounds a head, a chunk's first line and the trailers: twice what common
// servers accept in requests.
const MaxHead = 64 << 10

// The example and the port of targets of HTTP.
const (
	Example     = "http://127.0.0.1:8080/path"
	DefaultPort = "80"
)
