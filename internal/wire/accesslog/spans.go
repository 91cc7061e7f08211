package accesslog

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/wire/otlp"
	"github.com/gohone/hone/internal/wire/requests"
)

// hasSpans says whether a file is spans of OpenTelemetry, as the file exporter of its collector writes them: a message
// with many spans on each line.
func hasSpans(in *bufio.Reader) bool {
	begin, _ := in.Peek(256)
	return bytes.HasPrefix(bytes.TrimLeft(begin, " \t\r\n{"), []byte(`"resourceSpans"`))
}

// spans reads a file of spans. The requests are the server spans of one service.
func (l *Log) spans(name string, m *inputs.Meter, text io.Reader) error {
	err := otlp.Messages(m, text, func(all []otlp.Span) error {
		for i := range all {
			l.span(&all[i])
		}
		return nil
	})
	if err != nil {
		return fail.New(fail.BadInput, "%s: %w", name, err)
	}
	return nil
}

// span takes a span, or says why not. Work within a request is not an entry of the log.
func (l *Log) span(s *otlp.Span) {
	if s.Kind != otlp.Server {
		return
	}
	if l.seen.Again(s) {
		l.taken.Leave("spans that the file has more than once")
		return
	}
	r := &record{}
	for key, value := range s.Attributes {
		r.put(strings.Split(key, "."), value)
	}
	r.texts[moment] = time.Unix(0, s.End).UTC().Format(time.RFC3339Nano)
	e, ok := r.entry()
	e.took = took{key: "the spans", value: float64(max(0, s.End-s.Start)), unit: time.Nanosecond}
	if !ok || e.target == "" || s.End == 0 {
		l.taken.Leave("spans without a request of HTTP")
		return
	}
	if l.Service == "" {
		l.Service = s.Service
	}
	if s.Service != l.Service {
		l.taken.Leave("of the service " + requests.ShortName(s.Service) + " (--set access-log.service takes it)")
		return
	}
	l.entry(&e)
}
