package otlp_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/wire/otlp"
)

// An exporter may send protobuf or JSON, gzipped or not; what is wrong is refused, and logs are answered.
func TestReceiver(t *testing.T) {
	var got []otlp.Span
	server := httptest.NewServer(otlp.Receiver(func(s []otlp.Span) { got = append(got, s...) }))
	defer server.Close()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(asProtobuf())
	_ = z.Close()
	const protobuf = "application/x-protobuf"
	for _, c := range []struct {
		path, kind, coding string
		body               []byte
		status, spans      int
		answer             string
	}{
		{"/v1/traces", protobuf, "", asProtobuf(), 200, 1, ""},
		{"/v1/traces", protobuf, "gzip", packed.Bytes(), 200, 1, ""},
		{"/v1/traces", "application/json; charset=utf-8", "", []byte(asJSON), 200, 1, "{}"},
		{"/v1/traces", protobuf, "gzip", asProtobuf(), 400, 0, "gzip"},
		{"/v1/traces", "text/plain", "", asProtobuf(), 415, 0, "want"},
		{"/v1/traces", protobuf, "", []byte(asJSON), 400, 0, "damaged"},
		{"/v1/traces", protobuf, "", make([]byte, 17<<20), 413, 0, "too large"},
		{"/v1/logs", protobuf, "", []byte("x"), 200, 0, ""},
		{"/v2/traces", protobuf, "", asProtobuf(), 404, 0, "not found"},
	} {
		got = nil
		request, err := http.NewRequest("POST", server.URL+c.path, bytes.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", c.kind)
		request.Header.Set("Content-Encoding", c.coding)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != c.status || len(got) != c.spans || !strings.Contains(string(text), c.answer) {
			t.Errorf("%s %s: %d, %d spans, %q", c.path, c.kind, answer.StatusCode, len(got), text)
		}
		if c.spans == 1 && len(got) == 1 && !reflect.DeepEqual(got[0], want) {
			t.Errorf("%s: %+v", c.kind, got[0])
		}
	}
}
