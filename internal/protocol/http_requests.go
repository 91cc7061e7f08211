package protocol

import (
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/gohone/hone/internal/fail"
)

// httpRequests are the requests of all versions of HTTP, what their answers have to be, and
// their method. They are checked: headers, weights and further targets.
func httpRequests(u *url.URL, o Options) (mix *httpMix, checks *httpChecks, method string, err error) {
	if method, err = httpMethod(o); err != nil {
		return nil, nil, "", err
	}
	method, _ = methodOfAll(method, o.Requests)
	if checks, err = newHTTPChecks(o.Expect, method, o.Headers); err != nil {
		return nil, nil, "", err
	}
	mix, err = newHTTPMix(method, u, o)
	return mix, checks, method, err
}

// httpMethod is the method of all requests.
func httpMethod(o Options) (string, error) {
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
			WithHint("load the target behind the proxy itself")
	}
	return method, nil
}

// asksToClose says that the headers end every connection after its first answer (RFC
// 9112 section 9.6).
func asksToClose(headers []string) bool {
	return anyHeader(headers, "Connection", func(value string) bool { return hasToken([]byte(value), "close") })
}

// httpStreams is what HTTP/2 and HTTP/3 have in common: the turns of the targets, what their answers have to be, and the
// targets, whose requests each version encodes.
func httpStreams(u *url.URL, o Options) (mix *httpMix, checks *httpChecks, targets []httpTarget, err error) {
	if err := o.Feed.validate(); err != nil {
		return nil, nil, nil, err
	}
	mix, checks, method, err := httpRequests(u, o)
	if err != nil {
		return nil, nil, nil, err
	}
	targets, err = httpTargets(method, u, o)
	return mix, checks, targets, err
}

func withoutQuery(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return path
}

// maxHead bounds a head, a chunk's first line and the trailers: twice what common
// servers accept in requests.
const maxHead = 64 << 10

// The example and the port of targets of HTTP.
const (
	httpExample = "http://127.0.0.1:8080/path"
	httpPort    = "80"
)
