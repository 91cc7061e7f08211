package httpmsg

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
)

// The example and the port of targets of HTTP.
const (
	Example     = "http://127.0.0.1:8080/path"
	DefaultPort = "80"
)

// MaxHead bounds a head, a chunk's first line and the trailers: twice what common
// servers accept in requests.
const MaxHead = 64 << 10

// Check checks the path, the header lines and the body of one request, for versions that encode them in another way
// than HeaderLines. It says whether the number of the request is in one of them.
func Check(u *url.URL, o wire.Options) (numbered bool, err error) {
	uri, err := URI(u, o)
	if err != nil {
		return false, err
	}
	lines, err := HeaderLines(u, o)
	if err != nil {
		return false, err
	}
	return uri.Numbered() || lines.Numbered() || o.BodyTemplate().Numbered(), o.CheckPlaces("the body", string(o.Body))
}

// AsksToClose says that the headers end every connection after its first answer (RFC
// 9112 section 9.6).
func AsksToClose(headers []string) bool {
	return wire.AnyHeader(headers, "Connection", func(value string) bool {
		return wire.HasToken([]byte(value), "close")
	})
}

// WithoutQuery is the path of a request without its query.
func WithoutQuery(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return path
}

// URI is the path and query of u as a template.
func URI(u *url.URL, o wire.Options) (wire.Template, error) {
	path, query := cmp.Or(u.RawPath, u.EscapedPath(), "/"), u.RawQuery
	if err := o.CheckWords(path + "?" + query); err != nil {
		return nil, err
	}
	t := o.TemplateOf(path, wire.EscapePath, true)
	if query != "" || u.ForceQuery {
		t = append(t.Then("?"), o.TemplateOf(query, wire.EscapeQuery, true)...)
	}
	return t, nil
}

// HeaderLines are all header lines but Content-Length. Those that a user may
// replace come first.
func HeaderLines(u *url.URL, o wire.Options) (wire.Template, error) {
	host, agent := HostHeader(u), userAgent
	var lines strings.Builder
	for _, line := range o.Headers {
		name, value, err := splitHeader(line)
		if err != nil {
			return nil, err
		}
		switch strings.ToLower(name) {
		case "host":
			host = value
		case "user-agent":
			agent = value
		case "content-length", "transfer-encoding", "expect", "upgrade":
			return nil, fail.New(fail.BadInput, "header %q would change how messages are framed", name).
				WithHint("leave it out; Content-Length is set from the body")
		default:
			fmt.Fprintf(&lines, "%s: %s\r\n", name, value)
		}
		if err := o.Feed.CheckHeader(name, value); err != nil {
			return nil, err
		}
		if err := o.CheckPlaces("header "+name, value); err != nil {
			return nil, err
		}
	}
	all := fmt.Sprintf("Host: %s\r\nUser-Agent: %s\r\n%s", host, agent, lines.String())
	return o.TemplateOf(all, wire.AsIs, false), nil
}

const userAgent = "hone"

// HasContent says whether a request says how long its body is: also where content is
// expected but there is none (RFC 9110 section 8.6).
func HasContent(method string, body []byte) bool {
	return len(body) > 0 || method == "POST" || method == "PUT" || method == "PATCH"
}

// HostHeader is the host of u, without the port that its scheme has by default.
func HostHeader(u *url.URL) string {
	if name, port, err := net.SplitHostPort(u.Host); err == nil && port == defaultPort(u.Scheme) {
		return wire.Bracket(name)
	}
	return u.Host
}

// defaultPort is the port that a Host header leaves out.
func defaultPort(scheme string) string {
	if strings.EqualFold(scheme, "https") {
		return "443"
	}
	return DefaultPort
}

// splitHeader checks one "Name: value" line.
func splitHeader(line string) (name, value string, err error) {
	name, value, ok := strings.Cut(line, ":")
	value = strings.Trim(value, " \t")
	if !ok || !httpguts.ValidHeaderFieldName(name) {
		return "", "", fail.New(fail.BadInput, "header %q is not of the form Name: value", line).
			WithHint("for example -H 'Accept: text/html'")
	}
	if !httpguts.ValidHeaderFieldValue(value) {
		return "", "", fail.New(fail.BadInput, "header %q holds a control character", name).
			WithHint("put a header of its own on each -H")
	}
	return name, value, nil
}
