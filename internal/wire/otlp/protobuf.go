package otlp

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// Numbers of the fields (trace.proto, resource.proto and common.proto of opentelemetry-proto).
const (
	requestResourceSpans = 1

	resourceSpansResource = 1
	resourceSpansScopes   = 2
	resourceAttributes    = 1
	scopeSpansSpans       = 2

	spanTraceID, spanID, spanParent, spanName, spanKind = 1, 2, 4, 5, 6
	spanStart, spanEnd, spanAttributes                  = 7, 8, 9

	keyValueKey, keyValueValue                    = 1, 2
	valueString, valueBool, valueInt, valueDouble = 1, 2, 3, 4
)

// Protobuf reads the spans of an ExportTraceServiceRequest, or of a TracesData, which is the same.
func Protobuf(message []byte) ([]Span, error) {
	var all []Span
	err := fields(message, func(n protowire.Number, v value) (err error) {
		if n == requestResourceSpans {
			all, err = resourceSpans(all, v.bytes)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read OTLP: %w", err)
	}
	return all, nil
}

// value is that of a field: bytes, or a number.
type value struct {
	bytes  []byte
	number uint64
}

// fields calls do with each field of a message.
func fields(message []byte, do func(protowire.Number, value) error) error {
	for len(message) > 0 {
		n, kind, size := protowire.ConsumeTag(message)
		if size < 0 {
			return errDamaged
		}
		message = message[size:]
		var v value
		switch kind {
		case protowire.VarintType:
			v.number, size = protowire.ConsumeVarint(message)
		case protowire.Fixed64Type:
			v.number, size = protowire.ConsumeFixed64(message)
		case protowire.BytesType:
			v.bytes, size = protowire.ConsumeBytes(message)
		default:
			size = protowire.ConsumeFieldValue(n, kind, message)
		}
		if size < 0 {
			return errDamaged
		}
		message = message[size:]
		if err := do(n, v); err != nil {
			return err
		}
	}
	return nil
}

func resourceSpans(all []Span, message []byte) ([]Span, error) {
	from, service := len(all), ""
	err := fields(message, func(n protowire.Number, v value) error {
		switch n {
		case resourceSpansResource:
			return attributesIn(v.bytes, resourceAttributes, func(key, text string) {
				if key == serviceName {
					service = text
				}
			})
		case resourceSpansScopes:
			return fields(v.bytes, func(n protowire.Number, v value) error {
				if n != scopeSpansSpans {
					return nil
				}
				if len(all) == mostSpans {
					return errManySpans
				}
				s, err := span(v.bytes)
				all = append(all, s)
				return err
			})
		}
		return nil
	})
	named(all[from:], service)
	return all, err
}

func span(message []byte) (s Span, err error) {
	err = fields(message, func(n protowire.Number, v value) error {
		switch n {
		case spanTraceID:
			s.TraceID = hex.EncodeToString(v.bytes)
		case spanID:
			s.ID = hex.EncodeToString(v.bytes)
		case spanParent:
			s.Parent = hex.EncodeToString(v.bytes)
		case spanName:
			s.Name = bounded(string(v.bytes))
		case spanKind:
			s.Kind = kindOf(v.number)
		case spanStart:
			s.Start = int64(min(v.number, math.MaxInt64))
		case spanEnd:
			s.End = int64(min(v.number, math.MaxInt64))
		case spanAttributes:
			key, text, err := keyValue(v.bytes)
			s.set(key, text)
			return err
		}
		return nil
	})
	return s, err
}

func kindOf(n uint64) Kind {
	if n > uint64(Consumer) {
		return Unspecified
	}
	return Kind(n)
}

// attributesIn calls do with each attribute that a message has under a field number.
func attributesIn(message []byte, number protowire.Number, do func(key, text string)) error {
	return fields(message, func(n protowire.Number, v value) error {
		if n != number {
			return nil
		}
		key, text, err := keyValue(v.bytes)
		if err == nil {
			do(key, text)
		}
		return err
	})
}

func keyValue(message []byte) (key, text string, err error) {
	err = fields(message, func(n protowire.Number, v value) error {
		switch n {
		case keyValueKey:
			key = bounded(string(v.bytes))
		case keyValueValue:
			return fields(v.bytes, func(n protowire.Number, v value) error {
				text = v.text(n)
				return nil
			})
		}
		return nil
	})
	return key, text, err
}

// text is an AnyValue as text; "" for lists, maps and bytes.
func (v value) text(n protowire.Number) string {
	switch n {
	case valueString:
		return string(v.bytes)
	case valueBool:
		return strconv.FormatBool(v.number != 0)
	case valueInt:
		return strconv.FormatInt(int64(v.number), 10)
	case valueDouble:
		return strconv.FormatFloat(math.Float64frombits(v.number), 'g', -1, 64)
	}
	return ""
}
