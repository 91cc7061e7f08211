package otlp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/gohone/hone/internal/text/inputs"
)

// The messages as JSON (OTLP specification, "JSON Protobuf Encoding"): numbers of 64 bits are text
// or numbers, identifiers are hexadecimal, kinds are numbers. Older exporters wrote names of kinds.

// JSON reads the spans of one message as JSON. Messages of logs and metrics have none.
func JSON(message []byte) ([]Span, error) {
	var all []Span
	m := inputs.Budget{Bytes: inputs.Spans}.Start(context.Background(), "")
	err := Messages(m, bytes.NewReader(message), func(some []Span) error { all = append(all, some...); return nil })
	if err != nil {
		return nil, fmt.Errorf("read OTLP: %w", err)
	}
	return all, nil
}

// The bounds of one message, so that a short file that unpacks to many empty spans takes no memory.
const (
	// mostSpans is 16 times as many as a batch of the collector has by default (8192).
	mostSpans = 1 << 17
	// mostAhead bounds a span, and a resource, in bytes of JSON.
	mostAhead = 4 << 20
	// passedOn is how many spans are kept before they are passed on.
	passedOn = 1 << 10
)

var (
	errManySpans = fmt.Errorf("a message has more than %d spans", mostSpans)
	errLongSpan  = fmt.Errorf("a span has more than %d MiB", mostAhead>>20)
)

// Messages calls do with spans of a file of JSON as long as it returns nil: with some of a message at a time, so that a
// file of any size takes little memory. The file exporter of the collector writes a message on each line. An error of
// the file names its line. The meter counts bytes and time.
func Messages(m *inputs.Meter, from io.Reader, do func([]Span) error) error {
	r := &messages{from: m.Reader(from), do: do}
	r.Decoder = json.NewDecoder(r)
	for {
		r.spans = 0
		t, err := r.Token()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err == nil && t != json.Delim('{'):
			err = fmt.Errorf("want an object, found %v", t)
		case err == nil:
			err = r.object(func(key string) error {
				if key == "resourceSpans" {
					return r.list(r.resource)
				}
				return r.skip()
			})
		}
		if stop := (*stopped)(nil); errors.As(err, &stop) {
			return stop.error
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return fmt.Errorf("line %d: %w", r.line(), err)
		}
	}
}

// messages are being read.
type messages struct {
	*json.Decoder
	from  io.Reader
	do    func([]Span) error
	read  int64   // bytes
	ends  []int64 // of lines that were read, and perhaps not decoded
	lines int     // that were decoded
	spans int     // of the message

	pending []Span
	service string
	named   bool // the resource of pending was read
}

// stopped is an error of the caller's.
type stopped struct{ error }

// Read passes the file on, and stops at a value that is too long to be decoded in one.
func (r *messages) Read(p []byte) (int, error) {
	if r.read-r.InputOffset() > mostAhead {
		return 0, errLongSpan
	}
	r.line()
	n, err := r.from.Read(p)
	for i, c := range p[:n] {
		if c == '\n' {
			r.ends = append(r.ends, r.read+int64(i))
		}
	}
	r.read += int64(n)
	return n, err
}

// line is the line that is being decoded.
func (r *messages) line() int {
	at := r.InputOffset()
	done := 0
	for done < len(r.ends) && r.ends[done] < at {
		done++
	}
	r.ends = r.ends[done:]
	r.lines += done
	return r.lines + 1
}

// object calls do with each key of an object whose { was read. do reads the value.
func (r *messages) object(do func(key string) error) error {
	for r.More() {
		key, err := r.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		if err := do(name); err != nil {
			return err
		}
	}
	_, err := r.Token()
	return err
}

// list calls do with each element of a list; null is an empty one.
func (r *messages) list(do func() error) error {
	t, err := r.Token()
	switch {
	case err != nil || t == nil:
		return err
	case t != json.Delim('['):
		return fmt.Errorf("want a list, found %v", t)
	}
	for r.More() {
		if err := do(); err != nil {
			return err
		}
	}
	_, err = r.Token()
	return err
}

// begin reads the { of an object.
func (r *messages) begin() error {
	t, err := r.Token()
	if err == nil && t != json.Delim('{') {
		err = fmt.Errorf("want an object, found %v", t)
	}
	return err
}

// skip reads a value of any size, and keeps nothing of it.
func (r *messages) skip() error {
	for deep := 0; ; {
		t, err := r.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			deep++
		case json.Delim('}'), json.Delim(']'):
			deep--
		}
		if deep == 0 {
			return nil
		}
	}
}

// resource reads the spans of one resource, which may stand after them.
func (r *messages) resource() error {
	if err := r.begin(); err != nil {
		return err
	}
	r.service, r.named = "", false
	err := r.object(func(key string) error {
		switch key {
		case "resource":
			return r.nameOf()
		case "scopeSpans":
			return r.list(r.scope)
		}
		return r.skip()
	})
	if err != nil {
		return err
	}
	return r.pass()
}

func (r *messages) nameOf() error {
	var raw json.RawMessage
	if err := r.Decode(&raw); err != nil {
		return err
	}
	r.named = true
	attributesOf(gjson.GetBytes(raw, "attributes"), func(key, text string) bool {
		if key == serviceName {
			r.service = text
		}
		return true
	})
	return nil
}

func (r *messages) scope() error {
	if err := r.begin(); err != nil {
		return err
	}
	return r.object(func(key string) error {
		if key == "spans" {
			return r.list(r.span)
		}
		return r.skip()
	})
}

func (r *messages) span() error {
	if r.spans++; r.spans > mostSpans {
		return errManySpans
	}
	var raw json.RawMessage
	if err := r.Decode(&raw); err != nil {
		return err
	}
	of := gjson.ParseBytes(raw)
	if !of.IsObject() {
		return fmt.Errorf("want a span, found %.20q", raw)
	}
	if r.pending = append(r.pending, spanOf(of)); r.named && len(r.pending) >= passedOn {
		return r.pass()
	}
	return nil
}

// pass passes the pending spans on.
func (r *messages) pass() error {
	if len(r.pending) == 0 {
		return nil
	}
	named(r.pending, r.service)
	err := r.do(r.pending)
	r.pending = r.pending[:0]
	if err != nil {
		return &stopped{err}
	}
	return nil
}

func spanOf(of gjson.Result) (s Span) {
	of.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "name":
			s.Name = kept(value.String())
		case "kind":
			s.Kind = kindNamed(value.String())
		case "traceId":
			s.TraceID = strings.ToLower(kept(value.String()))
		case "spanId":
			s.ID = strings.ToLower(kept(value.String()))
		case "parentSpanId":
			s.Parent = strings.ToLower(kept(value.String()))
		case "startTimeUnixNano":
			s.Start = nanoseconds(value)
		case "endTimeUnixNano":
			s.End = nanoseconds(value)
		case "attributes":
			attributesOf(value, func(key, text string) bool {
				s.set(key, text)
				return len(s.Attributes) < mostAttributes
			})
		}
		return true
	})
	return s
}

// attributesOf calls do with the attributes of a list as long as it returns true.
func attributesOf(list gjson.Result, do func(key, text string) bool) {
	list.ForEach(func(_, one gjson.Result) bool {
		value := one.Get("value")
		text := ""
		for _, name := range []string{"stringValue", "boolValue", "intValue", "doubleValue"} {
			if v := value.Get(name); v.Exists() && v.Type != gjson.Null {
				if text = v.Str; v.Type != gjson.String {
					text = v.Raw // a number as it is written
				}
				break
			}
		}
		return do(kept(one.Get("key").String()), kept(text))
	})
}

// kept is a text without the memory of the message that it stands in.
func kept(text string) string { return strings.Clone(bounded(text)) }

func nanoseconds(of gjson.Result) int64 {
	text := of.Str
	if of.Type != gjson.String {
		text = of.Raw
	}
	n, err := strconv.ParseUint(text, 10, 64)
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
