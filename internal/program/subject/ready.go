package subject

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/text/fail"
)

// Ready says how a start is known to be ready, beyond that the program listens. ParseReady makes it.
type Ready struct {
	text string // as its user wrote it
	kind readyKind
	// Value is what stands after the kind, with templates: a path or URL, a port, the path of a socket or file.
	value  string
	status string // of an answer of HTTP: 204 or 2xx
	line   *regexp.Regexp
}

type readyKind string

const (
	readyHTTP   readyKind = "http"
	readyPort   readyKind = "port"
	readySocket readyKind = "socket"
	readyFile   readyKind = "file"
	readyLog    readyKind = "log"
)

// ReadyForms are the forms that ParseReady takes, for hints and help.
const ReadyForms = "http:/PATH, http:204:/PATH, http://HOST:PORT/PATH, port:PORT, socket:PATH, file:PATH or log:REGEX"

// wantedStatus is the beginning of http:204:/PATH.
var wantedStatus = regexp.MustCompile(`^([1-5]\d\d|[1-5]xx):`)

// mostLine bounds a line of output that is looked at, in bytes. The end of a longer one is not.
const mostLine = 64 << 10

// ParseReady reads one of these:
//
//	http:/healthz                 the program answers a GET of this path with 2xx, on any port or socket of its own
//	http:204:/healthz             with this status; 4xx stands for a class
//	https://127.0.0.1:{port2}/up  on another port; the certificate is not verified
//	port:9000                     a connection to this port of the loopback comes about
//	socket:/run/app.sock          a connection to this Unix socket does
//	file:{dir}/ready              this file is there, and is newer than the start
//	log:listening on .*           a line of output matches (RE2, see regexp/syntax)
//
// Templates are filled as in the program's arguments. Relative paths begin in the directory that the program runs in.
// Errors are fail.BadInput.
func ParseReady(text string) (*Ready, error) {
	bad := func(format string, args ...any) (*Ready, error) {
		return nil, fail.New(fail.BadInput, "ready %q: %w", text, fmt.Errorf(format, args...)).
			WithHint("write %s", ReadyForms)
	}
	kind, value, found := strings.Cut(text, ":")
	r := &Ready{text: text, kind: readyKind(kind), value: value}
	if kind == "https" {
		r.kind = readyHTTP
	}
	switch {
	case !found || r.kind != readyHTTP && r.kind != readyPort && r.kind != readySocket && r.kind != readyFile &&
		r.kind != readyLog:
		return bad("it names no way to be ready")
	case value == "":
		return bad("nothing stands after %s:", kind)
	case strings.ContainsRune(value, 0):
		return bad("it holds a zero byte")
	case r.kind == readyHTTP:
		return parseReadyHTTP(r, kind, bad)
	case r.kind == readyPort:
		if n, err := strconv.Atoi(value); (err != nil || n < 1 || n > 65535) && !templates.Pattern.MatchString(value) {
			return bad("port %q is not a number from 1 to 65535", value)
		}
	case r.kind == readyLog:
		line, err := regexp.Compile(value)
		if err != nil {
			return bad("%w", err)
		}
		if line.MatchString("") {
			return bad("the expression matches every line, the empty one too")
		}
		r.line = line
	}
	return r, nil
}

func parseReadyHTTP(r *Ready, scheme string, bad func(string, ...any) (*Ready, error)) (*Ready, error) {
	r.status = "2xx"
	if status := wantedStatus.FindString(r.value); status != "" {
		r.status, r.value = strings.TrimSuffix(status, ":"), r.value[len(status):]
	}
	whole := strings.HasPrefix(r.value, "//")
	if whole {
		r.value = scheme + ":" + r.value
	}
	for _, prefix := range []string{"http://", "https://"} {
		whole = whole || strings.HasPrefix(r.value, prefix)
	}
	if !whole && (scheme == "https" || !strings.HasPrefix(r.value, "/")) {
		return bad("want a path that begins with / or a URL")
	}
	if strings.ContainsFunc(r.value, func(c rune) bool { return c <= ' ' || c == 0x7f }) {
		return bad("a blank or control character in the path")
	}
	u, err := url.Parse(templates.Pattern.ReplaceAllString(r.value, "1"))
	if err != nil {
		return bad("%w", err)
	}
	if whole && u.Host == "" {
		return bad("the URL names no host")
	}
	return r, nil
}

// String is the text that ParseReady read; empty for none.
func (r *Ready) String() string {
	if r == nil {
		return ""
	}
	return r.text
}

// accepts says whether a status is the wanted one.
func (r *Ready) accepts(status int) bool {
	text := strconv.Itoa(status)
	return text == r.status || strings.HasSuffix(r.status, "xx") && text[:1] == r.status[:1]
}
