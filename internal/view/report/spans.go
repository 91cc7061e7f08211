package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/spans"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
)

// Spans writes where the time of the typical request and of a slow one goes by the spans of a program, for each
// endpoint.
func Spans(w io.Writer, d *spans.Digest) error {
	d = printable.Document(d)
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s, %s at %s\n", plural(d.Spans, "span"), plural(d.Requests, "request"),
		plural(len(d.Endpoints), "endpoint"))
	if d.Left > 0 {
		fmt.Fprintf(b, "note: the last %s are not looked at\n", plural(d.Left, "span"))
	}
	if d.Requests == 0 {
		b.WriteString("note: no span is of kind server: it is not known what a request is\n")
	}
	for i := range d.Endpoints {
		endpoint(b, &d.Endpoints[i])
	}
	return write(w, b)
}

func endpoint(b *strings.Builder, e *walltime.Endpoint) {
	endpointHead(b, e)
	partsTable(b, "span", &e.Typical, &e.Slow)
	for _, text := range model.StatementSentences(withoutItself(e.Typical), withoutItself(e.Slow), nil) {
		fmt.Fprintf(b, "%s: %s\n", e.Name, text)
	}
}

// endpointHead says how many requests an endpoint has, and how long they take.
func endpointHead(b *strings.Builder, e *walltime.Endpoint) {
	name := e.Name
	if e.Service != "" {
		name += " of " + e.Service
	}
	fmt.Fprintf(b, "\n%s: %s, %s (%s), %s (%s)\n", name, plural(e.Requests, "request"),
		units.Nanos(e.Typical.LatencyNanos), model.CohortTitle(&e.Typical),
		units.Nanos(e.Slow.LatencyNanos), model.CohortTitle(&e.Slow))
}

// withoutItself is a cohort without the time of the request's own span, which says nothing.
func withoutItself(c walltime.Cohort) *walltime.Cohort {
	c.Statements = slices.DeleteFunc(slices.Clone(c.Statements),
		func(s walltime.Statement) bool { return s.Text == spans.Itself })
	return &c
}
