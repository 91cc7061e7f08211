package accesslog

import (
	"fmt"
	"net/url"
	"strings"
	"time"
)

// entry is what a line says of a request.
type entry struct {
	at time.Time
	// method and target are as they were sent: the target is a path with its query, or a whole URL.
	method, target string
	status         int // 0: not known
	took           took
	// answer and body are the bytes of the answer's and the request's body, length those of the whole request;
	// negative: not known.
	answer, body, length int64
	// client is an address, with the port where the line has it; agent is its user agent.
	client, agent string
	headers       []string // those that are sent again
}

func newEntry() entry { return entry{answer: -1, body: -1, length: -1} }

// hasPort says that the client's address names its connection, too.
func (e *entry) hasPort() bool {
	i := strings.LastIndexByte(e.client, ':')
	return i > 0 && (strings.Count(e.client, ":") == 1 || e.client[i-1] == ']')
}

// pathOf is the path and query of a request's target, which may be a whole URL, as on the wire.
func pathOf(target string) (string, bool) {
	if !strings.HasPrefix(target, "/") {
		u, err := url.Parse(target)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return "", false
		}
		target = u.RequestURI()
	}
	target, _, _ = strings.Cut(target, "#")
	path, query, asks := strings.Cut(target, "?")
	if _, err := url.PathUnescape(path); err != nil {
		return "", false
	}
	// What may not stand in a URL is encoded, and nothing else is changed.
	out := encodeRaw(path)
	if asks {
		out += "?" + encodeRaw(query)
	}
	return out, true
}

// encodeRaw encodes the bytes that may not stand in a path or query.
func encodeRaw(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("{}\"<>\\^`|", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
