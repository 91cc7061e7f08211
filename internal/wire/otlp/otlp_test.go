package otlp_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/wire/otlp"
)

// asJSON is a batch as the collector's file exporter writes it.
const asJSON = `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},` +
	`"scopeSpans":[{"scope":{"name":"net/http"},"spans":[{"traceId":"5B8EFFF798038103D269B633813FC60C","spanId":"EEE19B7EC3C1B174",` +
	`"parentSpanId":"EEE19B7EC3C1B173","name":"SELECT","kind":3,"startTimeUnixNano":"1544712660000000000","endTimeUnixNano":1544712661000000000,` +
	`"attributes":[{"key":"db.query.text","value":{"stringValue":"SELECT a FROM t WHERE b = 'secret'"}},{"key":"n","value":{"intValue":"7"}},` +
	`{"key":"ok","value":{"boolValue":true}},{"key":"f","value":{"doubleValue":0.5}},{"key":"l","value":{"arrayValue":{"values":[]}}}]}]}]}]}`

var want = otlp.Span{
	Service: "shop", Name: "SELECT", Kind: otlp.Client, TraceID: "5b8efff798038103d269b633813fc60c", ID: "eee19b7ec3c1b174", Parent: "eee19b7ec3c1b173",
	Start: 1544712660000000000, End: 1544712661000000000,
	Attributes: map[string]string{"db.query.text": "SELECT a FROM t WHERE b = ?", "n": "7", "ok": "true", "f": "0.5", "l": ""},
}

func lines(from io.Reader, do func([]otlp.Span) error) error {
	return otlp.Messages(inputs.Budget{Bytes: inputs.Spans}.Start(context.Background(), ""), from, do)
}

func TestJSON(t *testing.T) {
	var all []otlp.Span
	in := asJSON + "\n\n" + `{"resourceMetrics":[]}` + "\n" + strings.Replace(asJSON, `"kind":3`, `"kind":"SPAN_KIND_SERVER"`, 1)
	if err := lines(strings.NewReader(in), func(s []otlp.Span) error { all = append(all, s...); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 || !reflect.DeepEqual(all[0], want) || all[1].Kind != otlp.Server {
		t.Errorf("read %+v", all)
	}
	if all[0].Statement() != "SELECT a FROM t WHERE b = ?" {
		t.Errorf("statement %q", all[0].Statement())
	}
	if err := lines(strings.NewReader(asJSON+"\n{"), func([]otlp.Span) error { return nil }); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("of a damaged line: %v", err)
	}
	stop := errors.New("stop")
	if err := lines(strings.NewReader(asJSON), func([]otlp.Span) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("it goes on: %v", err)
	}
}

// field is a field of bytes.
func field(n protowire.Number, parts ...[]byte) []byte {
	var all []byte
	for _, p := range parts {
		all = append(all, p...)
	}
	return protowire.AppendBytes(protowire.AppendTag(nil, n, protowire.BytesType), all)
}

func number(n protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, n, protowire.VarintType), v)
}

func fixed(n protowire.Number, v uint64) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(nil, n, protowire.Fixed64Type), v)
}

func text(n protowire.Number, s string) []byte { return field(n, []byte(s)) }

// asProtobuf is the same batch, by the numbers of trace.proto, with fields that are not read.
func asProtobuf() []byte {
	pair := func(n protowire.Number, key string, value []byte) []byte {
		return field(n, text(1, key), field(2, value))
	}
	one := field(2,
		field(1, []byte{0x5b, 0x8e, 0xff, 0xf7, 0x98, 0x03, 0x81, 0x03, 0xd2, 0x69, 0xb6, 0x33, 0x81, 0x3f, 0xc6, 0x0c}),
		field(2, []byte{0xee, 0xe1, 0x9b, 0x7e, 0xc3, 0xc1, 0xb1, 0x74}), text(3, "state"),
		field(4, []byte{0xee, 0xe1, 0x9b, 0x7e, 0xc3, 0xc1, 0xb1, 0x73}), text(5, "SELECT"), number(6, 3),
		fixed(7, 1544712660000000000), fixed(8, 1544712661000000000),
		pair(9, "db.query.text", text(1, "SELECT a FROM t WHERE b = 'secret'")), pair(9, "n", number(3, 7)), pair(9, "ok", number(2, 1)),
		pair(9, "f", fixed(4, math.Float64bits(0.5))), pair(9, "l", field(5)), number(10, 1),
		protowire.AppendFixed32(protowire.AppendTag(nil, 16, protowire.Fixed32Type), 1),
	)
	return field(1, field(1, pair(1, "service.name", text(1, "shop"))), field(2, field(1, text(1, "net/http")), one), text(3, "schema"))
}

func TestProtobuf(t *testing.T) {
	all, err := otlp.Protobuf(asProtobuf())
	if err != nil || len(all) != 1 || !reflect.DeepEqual(all[0], want) {
		t.Errorf("read %+v, %v", all, err)
	}
	whole := asProtobuf()
	if _, err := otlp.Protobuf(whole[:len(whole)-3]); err == nil {
		t.Error("a message that is cut is taken")
	}
}

// What programs send is not trusted: nothing panics, texts are bounded, and no value of a statement survives.
func FuzzSpans(f *testing.F) {
	f.Add(asProtobuf())
	f.Add([]byte(asJSON))
	f.Add([]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"kind":{},"startTimeUnixNano":-1}]}]}]}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, read := range []func([]byte) ([]otlp.Span, error){otlp.Protobuf, otlp.JSON} {
			spans, err := read(in)
			if err != nil && spans != nil {
				t.Fatal("spans and an error")
			}
			for _, s := range spans {
				if len(s.Name) > 1024 || len(s.Service) > 1024 || len(s.Attributes) > 128 || s.Start < 0 || s.Kind > otlp.Consumer || strings.Contains(s.Statement(), "'") {
					t.Fatalf("%+v", s)
				}
			}
		}
	})
}

// A message is read in pieces, so that what a short packed file unpacks to takes no memory; it ends at a bound, and
// when the user stops hone. The resource may stand after its spans.
func TestMessagesAreBounded(t *testing.T) {
	const begin, end = `{"resourceSpans":[{"scopeSpans":[{"spans":[`, `]}]}]}`
	many := strings.NewReader(begin + strings.Repeat("{},", 1<<18) + "{}" + end)
	n := 0
	if err := lines(many, func(s []otlp.Span) error { n += len(s); return nil }); err == nil || !strings.Contains(err.Error(), "line 1: a message has more than 131072 spans") {
		t.Errorf("%v after %d spans", err, n)
	}
	if _, err := otlp.Protobuf(bytes.Repeat([]byte{0x0a, 0x04, 0x12, 0x02, 0x12, 0x00}, 1<<18)); err == nil || !strings.Contains(err.Error(), "more than 131072 spans") {
		t.Errorf("protobuf: %v", err)
	}
	long := "\n" + begin + `{"name":"` + strings.Repeat("x", 9<<20) + `"}` + end
	if err := lines(strings.NewReader(long), func([]otlp.Span) error { return nil }); err == nil || !strings.Contains(err.Error(), "line 2: a span has more than 4 MiB") {
		t.Error(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	m := inputs.Budget{Bytes: inputs.Spans}.Start(stopped, "")
	if err := otlp.Messages(m, strings.NewReader(asJSON), func([]otlp.Span) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	var got []otlp.Span
	after := `{"x":[{"y":[1,{}]}],"resourceSpans":[{"scopeSpans":[{"scope":{},"spans":[` + strings.Repeat(`{"name":"a"},`, 3000) + "\n" +
		`{"name":"b"}]},{"spans":null}],"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]}}]}` + "{ }\n\n" + asJSON
	if err := lines(strings.NewReader(after), func(s []otlp.Span) error { got = append(got, s...); return nil }); err != nil || len(got) != 3002 || got[0].Service != "shop" || got[3000].Name != "b" {
		t.Errorf("%v, %d spans", err, len(got))
	}
	for text, want := range map[string]string{"{}\n{}\n[": "line 3", begin: "line 1: unexpected EOF", begin + "7" + end: "want a span", `{"resourceSpans":{}}`: "want a list", "{}\n\n{\"a\"": "line 3"} {
		if err := lines(strings.NewReader(text), func([]otlp.Span) error { return nil }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// A span that was exported twice is there once; a client and a server that share an identifier are two.
func TestSeen(t *testing.T) {
	var seen otlp.Seen
	one := otlp.Span{TraceID: "t", ID: "a", Kind: otlp.Server}
	other, shared := one, one
	other.ID, shared.Kind = "b", otlp.Client
	for i, c := range []struct {
		span  otlp.Span
		again bool
	}{{one, false}, {other, false}, {one, true}, {shared, false}, {shared, true}, {otlp.Span{}, false}, {otlp.Span{}, false}} {
		if seen.Again(&c.span) != c.again {
			t.Errorf("span %d: want %v", i, c.again)
		}
	}
}
