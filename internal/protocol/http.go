package protocol

import (
	"bytes"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/load"
)

// HTTP is HTTP/1.1 over plain TCP, kept alive. A depth over 1 pipelines requests
// (RFC 9112 section 9.3.2); answers come in order.
var HTTP = &Scheme{
	Name:    "http",
	Doc:     "HTTP/1.1, kept alive; a status of 400 or more is a wrong answer",
	Example: httpExample,
	Port:    httpPort,
	New:     newHTTP,
}

const (
	httpExample = "http://127.0.0.1:8080/path"
	httpPort    = "80"
)

func newHTTP(u *url.URL, o Options) (load.Protocol, error) {
	if o.PayloadBytes != 0 {
		return nil, fail.New(fail.BadInput, "payload size does not belong to http").
			WithHint("give a body, or use a framed:// target")
	}
	method := o.Method
	if method == "" {
		method = "GET"
		if len(o.Body) > 0 {
			method = "POST"
		}
	}
	if !isToken(method) {
		return nil, fail.New(fail.BadInput, "HTTP method %q is not a token", method).
			WithHint("methods are words such as GET or POST")
	}
	if strings.EqualFold(method, "CONNECT") {
		return nil, fail.New(fail.BadInput, "HTTP method CONNECT opens a tunnel, which cannot be loaded")
	}
	request, err := httpRequest(method, u, o)
	if err != nil {
		return nil, err
	}
	return httpProtocol{request: request, head: method == "HEAD"}, nil
}

// httpRequest builds the bytes that every request consists of.
func httpRequest(method string, u *url.URL, o Options) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\n", method, u.RequestURI())
	host, agent := u.Host, "hone"
	if name, port, err := net.SplitHostPort(u.Host); err == nil && port == httpPort {
		host = bracket(name)
	}
	var lines []string
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
			lines = append(lines, name+": "+value)
		}
	}
	fmt.Fprintf(&b, "Host: %s\r\nUser-Agent: %s\r\n", host, agent)
	for _, line := range lines {
		b.WriteString(line + "\r\n")
	}
	// RFC 9110 section 8.6: say so where content is expected but there is none.
	if len(o.Body) > 0 || method == "POST" || method == "PUT" || method == "PATCH" {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(o.Body))
	}
	b.WriteString("\r\n")
	b.Write(o.Body)
	return b.Bytes(), nil
}

// splitHeader checks one "Name: value" line.
func splitHeader(line string) (name, value string, err error) {
	name, value, ok := strings.Cut(line, ":")
	value = strings.Trim(value, " \t")
	if !ok || !isToken(name) {
		return "", "", fail.New(fail.BadInput, "header %q is not of the form Name: value", line).
			WithHint("for example -H 'Accept: text/html'")
	}
	for _, c := range []byte(value) {
		if c < ' ' && c != '\t' || c == 0x7f {
			return "", "", fail.New(fail.BadInput, "header %q holds a control character", name).
				WithHint("put a header of its own on each -H")
		}
	}
	return name, value, nil
}

// isToken: RFC 9110 section 5.6.2.
func isToken(s string) bool {
	for i := range len(s) {
		if !isTokenByte(s[i]) {
			return false
		}
	}
	return s != ""
}

func isTokenByte(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0
}

// httpProtocol holds the request that all connections copy.
type httpProtocol struct {
	request []byte
	head    bool // the method is HEAD: answers have no body
}

// Dialog implements load.Protocol.
func (p httpProtocol) Dialog(int) load.Dialog {
	return &httpDialog{request: p.request, answers: httpReader{head: p.head}}
}

// httpDialog matches answers to requests in order.
type httpDialog struct {
	request    []byte
	sent, next uint64
	answers    httpReader
}

// AppendRequest implements load.Dialog.
func (d *httpDialog) AppendRequest(dst []byte, seq uint64) []byte {
	d.sent = seq + 1
	return append(dst, d.request...)
}

// NextAnswer implements load.Dialog.
func (d *httpDialog) NextAnswer(in []byte, eof bool) (int, load.Answer) {
	n, end := d.answers.read(in, eof)
	if !end.done && !end.broken {
		return n, load.Answer{Partial: n > 0}
	}
	a := load.Answer{Seq: d.next, Close: end.close || end.broken}
	switch {
	case end.broken:
		a.Cause = end.cause
	case end.status >= 400:
		a.Cause = load.WrongStatus
	}
	if d.next < d.sent {
		d.next++
	}
	return n, a
}
