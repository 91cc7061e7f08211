package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/gohone/hone/internal/insight/spans"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/wire/otlp"
)

// tailDocument is what tail says of a run: of its trace, and of the spans that its program sent.
type tailDocument struct {
	*walltime.Digest
	Spans *spans.Digest `json:"spans,omitempty"`
}

// spansOfFile says where the time of requests goes by the spans in a file; nil if it has no lines of JSON.
func spansOfFile(ctx context.Context, name string, from float64) (*spans.Digest, error) {
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		return nil, nil
	}
	file, err := inputs.Spans.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // it may be a run
	}
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "open %w", err)
	}
	defer file.Close()
	packed, err := unpacked(inputs.Spans, name, file)
	if err != nil {
		return nil, nil // the reader of traces says what is wrong
	}
	in := bufio.NewReader(packed)
	if first, err := in.Peek(1); err != nil || first[0] != '{' {
		return nil, nil
	}
	var all spans.Collector
	m := inputs.Budget{Bytes: inputs.Spans, Within: time.Hour}.Start(ctx, name)
	if err := otlp.Messages(m, in, func(some []otlp.Span) error { all.Add(some); return nil }); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fail.New(fail.BadInput, "%s: %w", name,
			err).WithHint("hone tail reads lines of JSON, as the file exporter of the OpenTelemetry collector writes them")
	}
	d := all.Digest(from)
	if d.Spans == 0 {
		return nil, fail.New(fail.BadInput, "%s has no spans", name)
	}
	return d, nil
}

// spansOfRun are those that a run kept; nil where it kept none.
func (a *commands) spansOfRun(f *spec.Spec, name string) (*spans.Digest, error) {
	l, err := a.ReadLedger(f.Ledger)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	row, err := l.Run(name)
	if err != nil {
		return nil, nil // the digest is of a file or a service
	}
	return a.Library(l).Stored.Spans(row.ID)
}

// printSpans prints what the spans of a file say.
func (a *commands) printSpans(f *spec.Spec, d *spans.Digest) error {
	return a.Print(f.JSON, d, func(w io.Writer) error { return report.Spans(w, d) })
}
