// Package spans says where the time of requests goes, from the spans that a program sends to a collector of
// OpenTelemetry.
//
// A request is a server span that has no server span of the same service above it. Its critical path is walked from its
// end backwards: at each moment it is in the child that ended last, and where there is none, in the span itself (Zhang
// et al., CRISP: Critical Path Analysis of Large-Scale Microservice Architectures, USENIX ATC 2022, section 3). So the
// parts of a request add up to its time, also where its children overlap.
package spans

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/wire/otlp"
)

// Schema is that of Digest.
const Schema = "hone.spans/1"

// Digest says where the time of requests goes, for each endpoint.
type Digest struct {
	Schema string `json:"schema"`
	// Spans are those that were read, Left those beyond the most that are kept.
	Spans int `json:"spans"`
	Left  int `json:"left,omitempty"`
	// Requests are all of the endpoints.
	Requests int `json:"requests"`
	// Endpoints are those of most time. Their statements are spans, by name: with a statement of SQL, that; of
	// another service, with its name; Itself for what no other span of the request covers.
	Endpoints []walltime.Endpoint `json:"endpoints,omitempty"`
}

// Itself stands for the request's own span.
const Itself = "itself"

// MostSpans are kept, of about 300 bytes each.
const MostSpans = 1 << 19

// Collector takes spans in any order, also from several goroutines.
type Collector struct {
	mu    sync.Mutex
	seen  otlp.Seen
	texts map[string]string
	spans []span
	left  int
}

// span is a span without its attributes.
type span struct {
	id, parent     spanID
	service, name  string
	file, function string
	line           int
	start, end     int64
	kind           otlp.Kind
	up             int // the place of its parent; -1 for none
	children       []int
}

// spanID tells the spans of all traces apart.
type spanID struct{ trace, span string }

// Add takes spans. One that came before counts once.
func (c *Collector) Add(all []otlp.Span) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.texts == nil {
		c.texts = map[string]string{}
	}
	for i := range all {
		switch {
		case c.seen.Again(&all[i]):
			continue
		case len(c.spans) >= MostSpans:
			c.left++
			continue
		}
		c.spans = append(c.spans, c.kept(&all[i]))
	}
}

func (c *Collector) kept(s *otlp.Span) span {
	one := span{
		id: spanID{c.text(s.TraceID), s.ID}, service: c.text(s.Service), name: c.text(s.Name), kind: s.Kind,
		start: s.Start, end: max(s.Start, s.End), up: -1,
		file:     c.text(first(s, "code.file.path", "code.filepath")),
		function: c.text(first(s, "code.function.name", "code.function")),
	}
	if s.Parent != "" {
		one.parent = spanID{one.id.trace, s.Parent}
	}
	one.line, _ = strconv.Atoi(first(s, "code.line.number", "code.lineno"))
	switch statement, route := s.Statement(), s.Attributes["http.route"]; {
	case statement != "":
		one.name = c.text(statement)
	case s.Kind == otlp.Server && route != "":
		one.name = c.text(first(s, "http.request.method", "http.method") + " " + route)
	}
	return one
}

// text is a text once for all spans that have it.
func (c *Collector) text(s string) string {
	if known, ok := c.texts[s]; ok {
		return known
	}
	if len(c.texts) < MostSpans {
		c.texts[s] = s
	}
	return s
}

// first is the first attribute of a span that is there, by its name of today and of before.
func first(s *otlp.Span, names ...string) string {
	for _, name := range names {
		if text := s.Attributes[name]; text != "" {
			return text
		}
	}
	return ""
}

// Digest says where the time of the requests goes; from is the percentile from which on they are slow, 0 for 99.
func (c *Collector) Digest(from float64) *Digest {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := newTraces(c.spans)
	d := &Digest{Schema: Schema, Spans: len(c.spans) + c.left, Left: c.left}
	type key struct{ service, name string }
	requests := map[key][]int{}
	for i := range t.spans {
		if s := &t.spans[i]; t.isRequest(i) {
			k := key{s.service, s.name}
			requests[k] = append(requests[k], i)
			d.Requests++
		}
	}
	for k, all := range requests {
		slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(t.spans[a].length(), t.spans[b].length()) })
		from := cmp.Or(from, 99)
		d.Endpoints = append(d.Endpoints, walltime.Endpoint{
			Service: k.service, Name: k.name, Requests: len(all),
			Typical: t.cohort(walltime.TypicalName, all, 45, 55), Slow: t.cohort(walltime.SlowName, all, from, 100),
		})
	}
	d.Endpoints = walltime.Largest(d.Endpoints)
	return d
}

func (s *span) length() int64 { return s.end - s.start }

// cohort are the requests between two percentiles of those of an endpoint, sorted by their length.
func (t *traces) cohort(name string, sorted []int, from, to float64) walltime.Cohort {
	n := float64(len(sorted))
	a, b := min(int(math.Floor(n*from/100)), len(sorted)-1), int(math.Ceil(n*to/100))
	members := sorted[a:max(a+1, min(b, len(sorted)))]
	c := walltime.Cohort{Name: name, From: from, To: to, Requests: len(members)}
	sums := newSums()
	for _, i := range members {
		c.LatencyNanos += float64(t.spans[i].length()) / float64(len(members))
		sums.request(t, i)
	}
	c.Statements = sums.perRequest(len(members))
	return c
}
