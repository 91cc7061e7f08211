package tlsidle

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
)

// MaxHeaderBytes is the longest head of a request, its blank line included. nethttp
// allows 4 kB more.
const MaxHeaderBytes = 8 << 10

// request is the head of a request, as far as it matters here.
type request struct {
	method  string
	path    string // decoded
	host    string // of the target if that names one, else of the Host field
	minor   int    // of the version: HTTP/1.minor
	ends    bool   // the client wants the connection closed after the answer
	hasBody bool
	// unexpected is true for an Expect field other than 100-continue, which a request
	// without a body does not need.
	unexpected bool
}

// refusal is why bytes are no request that this server takes. It is an error, and the
// bytes after it are ignored: the connection ends.
type refusal struct {
	status int
	why    string
}

func (r *refusal) Error() string { return r.why }

func bad(why string) *refusal { return &refusal{http.StatusBadRequest, why} }

// headEnd returns the length of the head that b begins with, its blank line included,
// or 0 while it is not complete. Bytes before from are known not to hold the end of it.
// A line feed alone counts as the end of a line: readHead refuses it, and meanwhile
// no client waits.
func headEnd(b []byte, from int) int {
	for i := max(from-2, 0); ; {
		lf := bytes.IndexByte(b[i:], '\n')
		if lf < 0 {
			return 0
		}
		i += lf + 1
		switch rest := b[i:]; {
		case len(rest) > 0 && rest[0] == '\n':
			return i + 1
		case len(rest) > 1 && rest[0] == '\r' && rest[1] == '\n':
			return i + 2
		}
	}
}

// readHead reads a head as headEnd cuts it off. Where it accepts, net/http reads the
// same; it is stricter than net/http where two readers of the same bytes have been
// known to disagree (RFC 9112, 11.2): line feeds alone, folded lines, Content-Length
// beside Transfer-Encoding, Transfer-Encoding in HTTP/1.0.
func readHead(head []byte) (request, *refusal) {
	line, rest, ok := cutLine(head)
	if !ok {
		return request{}, bad("line does not end in CR LF")
	}
	r, why := readRequestLine(line)
	if why != nil {
		return request{}, why
	}
	var f fields
	for {
		if line, rest, ok = cutLine(rest); !ok {
			return request{}, bad("line does not end in CR LF")
		}
		if len(line) == 0 {
			break
		}
		if why := f.add(line); why != nil {
			return request{}, why
		}
	}
	return r, f.settle(&r)
}

// cutLine cuts the first line, CR LF, off b. A CR or a LF anywhere else is a fault.
func cutLine(b []byte) (line, rest []byte, ok bool) {
	lf := bytes.IndexByte(b, '\n')
	if lf < 1 || b[lf-1] != '\r' {
		return nil, nil, false
	}
	line = b[:lf-1]
	return line, b[lf+1:], bytes.IndexByte(line, '\r') < 0
}

// readRequestLine reads "METHOD target HTTP/1.x".
func readRequestLine(line []byte) (r request, why *refusal) {
	method, rest, ok := bytes.Cut(line, []byte{' '})
	target, version, ok2 := bytes.Cut(rest, []byte{' '})
	if !ok || !ok2 || !isToken(method) {
		return r, bad("request line is not: method, target, version")
	}
	switch string(version) {
	case "HTTP/1.1":
		r.minor = 1
	case "HTTP/1.0":
	default:
		if _, _, ok := http.ParseHTTPVersion(string(version)); !ok {
			return r, bad("version has no form of HTTP")
		}
		return r, &refusal{http.StatusHTTPVersionNotSupported, "version is neither HTTP/1.1 nor HTTP/1.0"}
	}
	switch string(method) { // spare the usual ones an allocation
	case http.MethodGet:
		r.method = http.MethodGet
	case http.MethodHead:
		r.method = http.MethodHead
	default:
		r.method = string(method)
	}
	if string(target) == "/" {
		r.path = "/"
		return r, nil
	}
	return r, r.readTarget(target)
}

// readTarget reads a target that is more than "/" (RFC 9112, 3.2), as net/http does.
func (r *request) readTarget(target []byte) *refusal {
	for _, c := range target {
		if c <= ' ' || c >= 0x7f {
			return bad("target holds a byte that belongs encoded")
		}
	}
	raw := string(target)
	if r.method == http.MethodConnect && !strings.HasPrefix(raw, "/") {
		raw = "http://" + raw
	}
	u, err := url.ParseRequestURI(raw)
	if err != nil {
		return bad("target is no address")
	}
	r.path, r.host = u.Path, u.Host
	return nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
