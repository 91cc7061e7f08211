package otlp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// The messages as JSON (OTLP specification, "JSON Protobuf Encoding"): numbers of 64 bits are text
// or numbers, identifiers are hexadecimal, kinds are numbers. Older exporters wrote names of kinds.
type (
	request struct {
		ResourceSpans []struct {
			Resource   struct{ Attributes []attribute }
			ScopeSpans []struct{ Spans []spanJSON }
		}
	}
	spanJSON struct {
		TraceID, SpanID, ParentSpanID, Name string
		Kind                                json.RawMessage
		StartTimeUnixNano, EndTimeUnixNano  json.RawMessage
		Attributes                          []attribute
	}
	attribute struct {
		Key   string
		Value struct {
			StringValue           *string
			BoolValue             *bool
			IntValue, DoubleValue json.RawMessage
		}
	}
)

// JSON reads the spans of one message as JSON. Messages of logs and metrics have none.
func JSON(message []byte) ([]Span, error) {
	var r request
	if err := json.Unmarshal(message, &r); err != nil {
		return nil, fmt.Errorf("read OTLP: %w", err)
	}
	var all []Span
	for _, of := range r.ResourceSpans {
		from := len(all)
		for _, scope := range of.ScopeSpans {
			for i := range scope.Spans {
				all = append(all, scope.Spans[i].span())
			}
		}
		for _, a := range of.Resource.Attributes {
			if a.Key == serviceName {
				named(all[from:], a.text())
			}
		}
	}
	return all, nil
}

func (j *spanJSON) span() Span {
	s := Span{
		Name: bounded(j.Name), Kind: kindNamed(unquoted(j.Kind)), Start: nanoseconds(j.StartTimeUnixNano), End: nanoseconds(j.EndTimeUnixNano),
		TraceID: strings.ToLower(bounded(j.TraceID)), ID: strings.ToLower(bounded(j.SpanID)), Parent: strings.ToLower(bounded(j.ParentSpanID)),
	}
	for _, a := range j.Attributes {
		s.set(bounded(a.Key), a.text())
	}
	return s
}

// text is a value as text; "" for lists, maps and bytes.
func (a *attribute) text() string {
	switch v := a.Value; {
	case v.StringValue != nil:
		return *v.StringValue
	case v.BoolValue != nil:
		return strconv.FormatBool(*v.BoolValue)
	case v.IntValue != nil:
		return unquoted(v.IntValue)
	}
	return unquoted(a.Value.DoubleValue)
}

// unquoted is a number that JSON may have between quotes.
func unquoted(raw json.RawMessage) string { return strings.Trim(string(raw), `"`) }

func nanoseconds(raw json.RawMessage) int64 {
	n, err := strconv.ParseUint(unquoted(raw), 10, 64)
	if err != nil {
		return 0
	}
	return int64(min(n, math.MaxInt64))
}

var kindNames = []string{"UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"}

func kindNamed(text string) Kind {
	for i, name := range kindNames {
		if text == "SPAN_KIND_"+name || text == strconv.Itoa(i) {
			return Kind(i)
		}
	}
	return Unspecified
}

// mostLine bounds a line of a file: a batch of the collector has 8192 spans by default.
const mostLine = 64 << 20

// Lines calls do with the spans of each line of a file of JSON, as long as it returns nil. Empty lines are left out. An
// error of a line names its number.
func Lines(from io.Reader, do func([]Span) error) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, mostLine)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		spans, err := JSON(line)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if err := do(spans); err != nil {
			return err
		}
	}
	return lines.Err()
}
