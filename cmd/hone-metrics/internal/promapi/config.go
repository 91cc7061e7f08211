package promapi

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
)

// Config says what is served, and to whom.
type Config struct {
	// Open gives the series for one request, and what to call when it is answered (nil is
	// nothing). It is called for each request, so that the store may change in between.
	// Required.
	Open func(context.Context) (storage.Queryable, func() error, error)

	// Engine evaluates queries. Its limits of time and of samples hold besides those here;
	// the number of samples times Concurrency is the memory that queries can take, unless
	// the engine bounds all queries together. What it refuses before it evaluates must wrap
	// promql.ErrTooManySamples to be answered with 422. Required.
	Engine promql.QueryEngine

	// Parser reads selectors, and expressions before the engine does. It should be the
	// engine's own. nil is PromQL without its experimental parts.
	Parser parser.Parser

	// Metadata tells types and help texts: of one metric, or of all for "". nil knows none.
	Metadata func(metric string) []Metadata

	// Now is the time of a query that names none. nil is time.Now.
	Now func() time.Time

	// Version is hone's, shown beside the version of the API.
	Version string

	// Hosts are names, besides localhost, that this server is called by. IP addresses need
	// not be named: loopback ones and the one that a connection arrived at are accepted. A
	// name that a stranger controls lets the pages of that stranger read everything.
	Hosts []string

	// Metrics answers /metrics: hone's own metrics. nil is 404.
	Metrics http.Handler

	// Timeout bounds each request, the wait for its turn included. 0 is two minutes, which
	// is Prometheus' --query.timeout.
	Timeout time.Duration

	// Concurrency is how many requests read at a time; the others wait. 0 is four: a
	// dashboard asks for a dozen panels at once, and each may hold the engine's whole limit
	// of samples.
	Concurrency int
}

// Metadata says what a metric is.
type Metadata struct {
	Metric string // the name of its family
	Type   string // counter, gauge, histogram, gaugehistogram, summary, info, stateset, unknown
	Help   string
	Unit   string
}

func (c Config) filled() Config {
	if c.Parser == nil {
		c.Parser = parser.NewParser(parser.Options{})
	}
	if c.Metadata == nil {
		c.Metadata = func(string) []Metadata { return nil }
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Metrics == nil {
		c.Metrics = http.HandlerFunc(unknown)
	}
	if c.Timeout <= 0 {
		c.Timeout = 2 * time.Minute
	}
	if c.Concurrency <= 0 {
		c.Concurrency = 4
	}
	return c
}
