package accesslog

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/otlp"
	"github.com/gohone/hone/internal/wire/requests"
)

// Options say which requests of a log are taken.
type Options struct {
	// Methods are those that are taken; empty: GET and HEAD and, if Body knows a body for them, others.
	Methods []string
	// Format is that of the lines, in the notation of nginx or Apache, or the name of a known one; empty: hone finds
	// it.
	Format string
	// Service is the one whose spans are taken; empty: that of the first span of a request.
	Service string
	// Mixed makes a mix of them, see requests.Collector.
	Mixed bool
	// Body gives a request that has a body one, of so many bytes where the log says it (negative: it does not). Not ok:
	// there is none for it. It is nil without bodies.
	Body func(r *wire.Request, size int64) (ok bool)
}

// Log is a log that is being read: one file, or several that belong together.
type Log struct {
	Options
	name   string
	taken  *requests.Collector
	fit    fitting
	lines  *formats
	seen   otlp.Seen // spans
	broken struct {
		count, first int
		text         string
	}
}

// New begins a log of this name, which is for messages. An error is a *fail.Error of kind BadInput: of the format.
func New(name string, o Options) (*Log, error) {
	lines, err := newFormats(o.Format)
	if err != nil {
		return nil, fail.New(fail.BadInput, "read --set log.format=%q: %w", o.Format, err).WithHint("%s", notationHint)
	}
	return &Log{Options: o, name: name, taken: requests.NewCollector(o.Mixed), fit: newFitting(), lines: lines}, nil
}

// notationHint says how a format is written.
const notationHint = `say which column means what, as nginx.conf or Apache's LogFormat says it: ` +
	`--set log.format='` + common + ` $request_time'; columns that hone does not know are skipped, such as $skip`

const (
	unknownFormat = "not in a known format"
	longestLine   = 64 << 10
	// longestRead is enough for 4 GiB on a busy machine.
	longestRead = time.Hour
)

// Read reads a file of the log, packed by gzip or not, until ctx ends. Errors are *fail.Error of kind BadInput.
func (l *Log) Read(ctx context.Context, name string, r io.Reader) error {
	in := bufio.NewReader(r)
	var text io.Reader = in
	if magic, err := in.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		if text, err = gzip.NewReader(in); err != nil {
			return fail.New(fail.BadInput, "%s: unpack: %w", name, err)
		}
	}
	m := inputs.Budget{Bytes: inputs.AccessLog, Within: longestRead}.Start(ctx, name)
	lines := bufio.NewReaderSize(inputs.Text(m.Reader(text)), longestLine)
	if hasSpans(lines) {
		err := l.spans(name, m, lines)
		return cmp.Or(context.Cause(ctx), err)
	}
	for n := 1; ; n++ {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			l.taken.Leave("longer than 64 KiB")
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = lines.ReadSlice('\n')
			}
			line = nil
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			l.line(n, string(line))
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if large := (*inputs.TooLarge)(nil); errors.As(err, &large) {
			return fail.New(fail.BadInput, "%w", large)
		}
		if err != nil && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return fail.New(fail.BadInput, "%s: line %d: %w", name, n,
				err).WithHint("a packed log that breaks off can be unpacked as far as it goes: gzip -dc FILE > LOG")
		}
	}
}

// Finish returns the requests of the log, and the load that they were. An error is a *fail.Error of kind BadInput:
// nothing was taken.
func (l *Log) Finish() (*requests.List, *Fit, error) {
	out := l.taken.Finish(!l.fit.fractions)
	if l.broken.count > 0 && len(out.Requests) == 0 {
		return nil, nil, l.unknown()
	}
	fit := l.fit.finish()
	out.Notes = append(out.Notes, l.lines.notes(fit.Durations != "")...)
	if l.broken.count > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("the first line in no known format is line %s",
			units.Count(uint64(l.broken.first))))
	}
	fit.Kept = len(out.Order)
	return out, fit, out.NotEmpty(l.name,
		"--set methods=GET,POST says which methods are taken; bodies are in no log: --body gives them")
}

// unknown is the error of a log without a line in the format.
func (l *Log) unknown() error {
	at := fmt.Sprintf("line %d is %q", l.broken.first, fmt.Sprintf("%.80s", l.broken.text))
	if l.lines.given {
		return fail.New(fail.BadInput, "%s: no line is in the format of --set log.format: %s; %s", l.name, at,
			l.lines.layouts[0].mismatch(l.broken.text)).
			WithHint("compare the format with the line; columns that hone does not know are skipped, such as $skip")
	}
	return fail.New(fail.BadInput,
		"%s: no line is in a known format of access logs; %s; tried: %s, JSON and key=value with time, method and path",
		l.name, at, formatNames()).WithHint("%s", notationHint)
}

// line takes one line, or says why not.
func (l *Log) line(n int, text string) {
	e, ok := l.lines.parse(text)
	if !ok {
		if l.taken.Leave(unknownFormat); l.broken.count == 0 {
			l.broken.first, l.broken.text = n, text
		}
		l.broken.count++
		return
	}
	l.entry(&e)
}

// entry takes an entry, or says why not.
func (l *Log) entry(e *entry) {
	l.fit.fractions = l.fit.fractions || e.at.Nanosecond() != 0
	e.method = strings.ToUpper(e.method)
	if !httpguts.ValidHeaderFieldName(e.method) {
		l.taken.Leave("without a request of HTTP (broken off, or not HTTP at all)")
		return
	}
	path, ok := pathOf(e.target)
	if !ok {
		l.taken.Leave("with a path that is not a URL")
		return
	}
	switch {
	case strings.HasPrefix(path, "/debug/pprof/"):
		l.taken.Leave("to /debug/pprof/, which would take profiles while hone takes its own")
	case e.status == http.StatusSwitchingProtocols:
		l.taken.Leave("that went on in another protocol, such as WebSocket")
	default:
		l.request(e, path)
	}
}

// hasBody says that requests of a method have a body as a rule.
func hasBody(method string) bool { return method == "POST" || method == "PUT" || method == "PATCH" }

// request takes a request, or says why not.
func (l *Log) request(e *entry, path string) {
	r := wire.Request{Method: e.method, Path: path, Headers: e.headers, Raw: true}
	size := l.fit.bodySize(e)
	made := hasBody(e.method) && size != 0 && l.Body != nil && l.Body(&r, size)
	wanted := slices.Contains(l.Methods, e.method)
	if len(l.Methods) == 0 {
		wanted = e.method == "GET" || e.method == "HEAD" || made
	}
	l.fit.countRequest(e, path, size, wanted, int64(len(r.Body)))
	switch {
	case wanted:
		l.taken.Take(r, e.at)
	case hasBody(e.method) && size != 0:
		l.taken.Leave("of the method " + requests.ShortName(e.method) + ", whose body is not in the log")
	default:
		l.taken.Leave("of the method " + requests.ShortName(e.method) +
			", which may change data (--set methods takes it)")
	}
}
