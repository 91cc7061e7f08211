package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	"github.com/gohone/hone/internal/text/inputs"
)

// A trace is read as it is and gzipped; one that is shorter than gzip's mark is left to its reader.
func TestTracesAreUnpacked(t *testing.T) {
	const text = "go 1.26 trace\x00\x00\x00"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	for in, want := range map[string]string{text: text, packed.String(): text, "": "", "g": "g"} {
		from, err := unpacked(inputs.Trace, "a file", bytes.NewReader([]byte(in)))
		if err != nil {
			t.Fatalf("%q: %v", in, err)
		}
		if got, err := io.ReadAll(from); string(got) != want || err != nil {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
	if _, err := unpacked(inputs.Trace, "a file", bytes.NewReader(packed.Bytes()[:5])); err == nil {
		t.Error("the head of a gzipped file is taken for a trace")
	}
}
