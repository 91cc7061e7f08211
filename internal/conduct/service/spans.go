package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/gohone/hone/internal/insight/spans"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire/otlp"
)

const spansFile = "spans.json"

// spanReceiver takes the spans of programs.
type spanReceiver struct {
	spans.Collector
	address string
	server  *http.Server
	ended   chan struct{} // by the goroutine that serves
}

// openSpans begins to take spans, if they are asked for. Its goroutine ends with endSpans.
func (m *services) openSpans() error {
	if !m.Task.Spans {
		return nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fail.New(fail.Or(fail.Environment, err), "listen for spans: %w", err)
	}
	r := &spanReceiver{address: l.Addr().String(), ended: make(chan struct{})}
	r.server = &http.Server{Handler: otlp.Receiver(r.Add), ReadTimeout: time.Minute}
	go func() {
		defer close(r.ended)
		_ = r.server.Serve(l) // until endSpans
	}()
	m.spans = r
	return nil
}

// environment tells the SDK of a program where its spans go (OpenTelemetry specification, "OpenTelemetry Protocol
// Exporter"). It sends them each second instead of each five, since a program may end without a last batch.
func (r *spanReceiver) environment() []string {
	if r == nil {
		return nil
	}
	return []string{
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://" + r.address, "OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf",
		"OTEL_TRACES_EXPORTER=otlp", "OTEL_BSP_SCHEDULE_DELAY=1000",
	}
}

// endSpans keeps what the spans say, after the program has ended.
func (m *services) endSpans() error {
	if m.spans == nil {
		return nil
	}
	err := m.spans.server.Close()
	<-m.spans.ended
	d := m.spans.Digest(0)
	for _, v := range m.sides {
		switch {
		case d.Spans == 0:
			v.Warn("no span came: the program has to send them by OTLP over HTTP (otlptracehttp in Go), to " +
				"OTEL_EXPORTER_OTLP_ENDPOINT")
			continue
		case d.Left > 0:
			v.Warn("of %d spans the last %d are not looked at", d.Spans, d.Left)
		}
		doc, bad := json.Marshal(d)
		if bad != nil {
			return fmt.Errorf("encode digest of the spans: %w", bad)
		}
		_, bad = v.Draft.AddArtefact(record.SpansArtefact, spansFile, bytes.NewReader(doc))
		err = errors.Join(err, bad)
	}
	return err
}
