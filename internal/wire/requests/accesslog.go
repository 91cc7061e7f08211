package requests

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// ReadAccessLog reads a log in the common or the combined log format, as Apache and nginx
// write them, packed by gzip or not. Lines may have more after these fields, and a name
// of the virtual host in front. methods are those that are taken; empty: GET and HEAD,
// since bodies are in no log. name is for errors, which are *fail.Error of kind BadInput.
func ReadAccessLog(name string, r io.Reader, methods []string) (*List, error) {
	in := bufio.NewReader(r)
	var text io.Reader = in
	if magic, err := in.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		if text, err = gzip.NewReader(in); err != nil {
			return nil, fail.New(fail.BadInput, "%s: unpack: %w", name, err)
		}
	}
	if len(methods) == 0 {
		methods = []string{"GET", "HEAD"}
	}
	l := &logReader{collector: newCollector(), methods: methods}
	lines := bufio.NewReaderSize(inputs.Text(inputs.AccessLog.Reader(name, text)), 64<<10)
	for {
		line, err := lines.ReadSlice('\n')
		if tooLong := errors.Is(err, bufio.ErrBufferFull); tooLong {
			l.leave("longer than 64 KiB")
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = lines.ReadSlice('\n')
			}
			line = nil
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			l.line(string(line))
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if large := (*inputs.TooLarge)(nil); errors.As(err, &large) {
			return nil, fail.New(fail.BadInput, "%w", large)
		}
		if err != nil {
			return nil, fail.New(fail.BadInput, "%s: line %d: %w", name, l.list.Found+1, err).WithHint("a packed log that breaks off can be unpacked as far as it goes: gzip -dc FILE > LOG")
		}
	}
	out := l.finish(l.whole)
	out.Spread = l.whole
	if l.first != "" && len(out.Requests) == 0 {
		return nil, fail.New(fail.BadInput, "%s: no line is in the common or combined log format; the first is %q", name, l.first).
			WithHint(`a line looks like 192.0.2.1 - - [31/Jan/2026:12:00:00 +0000] "GET /items HTTP/1.1" 200 512`)
	}
	return out, nothingTaken(name, out, "--methods GET,POST says which methods are taken; bodies are in no log")
}

type logReader struct {
	*collector
	methods []string
	whole   bool   // times are whole seconds
	first   string // the first line that is in no known format
}

// line takes one line, or says why not.
func (l *logReader) line(line string) {
	at, asked, ok := logFields(line)
	if !ok {
		if l.leave("not in the common or combined log format"); l.first == "" {
			l.first = fmt.Sprintf("%.80s", line)
		}
		return
	}
	if at.Nanosecond() == 0 {
		l.whole = true
	}
	method, rest, _ := strings.Cut(asked, " ")
	uri, version, ok := cutLast(rest)
	switch {
	case !ok || !strings.HasPrefix(version, "HTTP/") || !httpguts.ValidHeaderFieldName(method):
		l.leave("without a request of HTTP (broken off, or not HTTP at all)")
		return
	case !slices.Contains(l.methods, method):
		why := "of the method " + shortName(method)
		if method != "OPTIONS" && method != "CONNECT" {
			why += ", whose body is not in the log"
		}
		l.leave(why)
		return
	}
	path, ok := logPath(uri)
	if !ok {
		l.leave("with a path that is not a URL")
		return
	}
	l.take(Request{Method: method, Path: path}, at)
}

func cutLast(text string) (before, after string, found bool) {
	i := strings.LastIndexByte(text, ' ')
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}

// logPath is the path and query of a request's target, which may be a whole URL.
func logPath(uri string) (string, bool) {
	if !strings.HasPrefix(uri, "/") {
		u, err := url.Parse(uri)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return "", false
		}
		return pathOf(u), true
	}
	uri, _, _ = strings.Cut(uri, "#")
	path, query, asks := strings.Cut(uri, "?")
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

// logFields finds the time and the request's first line: the first [...] that is a time,
// and the first "..." behind it.
func logFields(line string) (at time.Time, asked string, ok bool) {
	open := strings.IndexByte(line, '[')
	if open < 0 {
		return at, "", false
	}
	length := strings.IndexByte(line[open:], ']')
	if length < 0 {
		return at, "", false
	}
	at, ok = logTime(line[open+1 : open+length])
	rest := line[open+length+1:]
	quote := strings.IndexByte(rest, '"')
	if !ok || quote < 0 {
		return at, "", false
	}
	asked, ok = unquote(rest[quote+1:])
	return at, asked, ok
}

// logTime reads the time of Apache and nginx, or RFC 3339 ($time_iso8601), also with a
// fraction of a second.
func logTime(text string) (time.Time, bool) {
	for _, layout := range []string{"02/Jan/2006:15:04:05 -0700", "02/Jan/2006:15:04:05.999999999 -0700", time.RFC3339Nano} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// unquote reads up to the closing quote: \" and \xHH are how Apache and nginx write what
// would end it.
func unquote(text string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"':
			return b.String(), true
		case c == '\\' && i+1 < len(text):
			if n := 0; text[i+1] == 'x' && i+3 < len(text) {
				if _, err := fmt.Sscanf(text[i+2:i+4], "%02x", &n); err == nil {
					b.WriteByte(byte(n))
					i += 3
					continue
				}
			}
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}
