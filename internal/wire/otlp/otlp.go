// Package otlp reads the spans that programs send to a collector of OpenTelemetry: as protobuf and
// as JSON, and as files of lines of JSON, which the file exporter of the collector writes.
//
// The messages are those of opentelemetry-proto 1.x, trace/v1/trace.proto. Of them it reads what says
// who did what, and when; events, links and the status are left out.
package otlp

import (
	"errors"

	"github.com/gohone/hone/internal/text/statement"
)

// Span is a piece of work of a service.
type Span struct {
	// Service is the attribute service.name of the resource, Name that of the span.
	Service, Name string
	Kind          Kind
	// TraceID, ID and Parent are in small hexadecimal digits; Parent is empty for the root of a trace.
	TraceID, ID, Parent string
	// Start and End are nanoseconds since 1970.
	Start, End int64
	// Attributes are those of the span as text. Values of lists and maps are left out. Statements of SQL
	// have no values any more (package statement).
	Attributes map[string]string
}

// Kind is what a span has to do with other services (SpanKind).
type Kind uint8

// The kinds.
const (
	Unspecified Kind = iota
	Internal
	Server
	Client
	Producer
	Consumer
)

// mostText bounds a name or a value, in bytes; mostAttributes how many a span keeps.
const (
	mostText       = 1 << 10
	mostAttributes = 128
)

// errDamaged is of an input that is not what it should be.
var errDamaged = errors.New("it is damaged")

// statements are the attributes that hold a statement: of the semantic conventions of today and before 1.26.
var statements = []string{"db.query.text", "db.statement"}

// set adds an attribute.
func (s *Span) set(key, value string) {
	if key == "" || len(s.Attributes) >= mostAttributes {
		return
	}
	for _, name := range statements {
		if key == name {
			value = statement.Redact(value)
		}
	}
	if s.Attributes == nil {
		s.Attributes = map[string]string{}
	}
	s.Attributes[key] = bounded(value)
}

func bounded(text string) string { return text[:min(len(text), mostText)] }

// Statement is the statement of SQL that a span is about, without its values; "" if it is about none.
func (s *Span) Statement() string {
	for _, name := range statements {
		if text := s.Attributes[name]; text != "" {
			return text
		}
	}
	return ""
}

// serviceName is the attribute of a resource that names the service.
const serviceName = "service.name"

// named puts the service of a resource into its spans.
func named(spans []Span, service string) {
	for i := range spans {
		spans[i].Service = bounded(service)
	}
}
