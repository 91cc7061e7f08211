package protocol

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/gohone/hone/internal/fail"
)

// httpRequest is one target's request: a head, a Content-Length where there is content,
// and a body.
type httpRequest struct {
	fixed      []byte // all of it, where no column is in it
	head, body template
	content    bool
}

// newHTTPRequest builds the request for the path and query of u, to the address in its
// Host.
func newHTTPRequest(method string, u *url.URL, o Options) (*httpRequest, error) {
	head := template{}.then(method + " ")
	uri, err := httpURI(u, o)
	if err != nil {
		return nil, err
	}
	head = append(head, uri...).then(" HTTP/1.1\r\n")
	lines, err := httpHeaderLines(u, o)
	if err == nil {
		err = o.checkPlaces("the body", string(o.Body))
	}
	if err != nil {
		return nil, err
	}
	r := &httpRequest{
		head:    append(head, lines...),
		body:    o.templateOf(string(o.Body), asIs, false),
		content: hasContent(method, o.Body),
	}
	if r.head.fixed() && r.body.fixed() {
		r.fixed = r.append(nil, fill{})
	}
	return r, nil
}

// append appends the request, filled, to dst.
func (r *httpRequest) append(dst []byte, f fill) []byte {
	if r.fixed != nil {
		return append(dst, r.fixed...)
	}
	dst = r.head.append(dst, f)
	if r.content {
		dst = append(dst, "Content-Length: "...)
		dst = strconv.AppendInt(dst, int64(r.body.size(f)), 10)
		dst = append(dst, "\r\n"...)
	}
	dst = append(dst, "\r\n"...)
	return r.body.append(dst, f)
}

// httpURI is the path and query of u as a template.
func httpURI(u *url.URL, o Options) (template, error) {
	path, query := cmp.Or(u.RawPath, u.EscapedPath(), "/"), u.RawQuery
	if err := o.checkWords(path + "?" + query); err != nil {
		return nil, err
	}
	t := o.templateOf(path, escapePath, true)
	if query != "" || u.ForceQuery {
		t = append(t.then("?"), o.templateOf(query, escapeQuery, true)...)
	}
	return t, nil
}

// httpHeaderLines are all header lines but Content-Length. Those that a user may
// replace come first.
func httpHeaderLines(u *url.URL, o Options) (template, error) {
	host, agent := hostHeader(u), userAgent
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
		if err := o.Feed.checkHeader(name, value); err != nil {
			return nil, err
		}
		if err := o.checkPlaces("header "+name, value); err != nil {
			return nil, err
		}
	}
	all := fmt.Sprintf("Host: %s\r\nUser-Agent: %s\r\n%s", host, agent, lines.String())
	return o.templateOf(all, asIs, false), nil
}

const userAgent = "hone"

// hasContent says whether a request says how long its body is: also where content is
// expected but there is none (RFC 9110 section 8.6).
func hasContent(method string, body []byte) bool {
	return len(body) > 0 || method == "POST" || method == "PUT" || method == "PATCH"
}

// hostHeader is the host of u, without the port that its scheme has by default.
func hostHeader(u *url.URL) string {
	if name, port, err := net.SplitHostPort(u.Host); err == nil && port == defaultPort(u.Scheme) {
		return bracket(name)
	}
	return u.Host
}

// defaultPort is the port that a Host header leaves out.
func defaultPort(scheme string) string {
	if strings.EqualFold(scheme, "https") {
		return "443"
	}
	return httpPort
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
