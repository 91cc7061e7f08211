package tap

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
)

// packedBy is text in a content coding.
func packedBy(t *testing.T, coding, text string, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch coding {
	case "gzip":
		w, _ := gzip.NewWriterLevel(&b, level)
		_, err = w.Write([]byte(text))
		w.Close()
	case "deflate":
		w, _ := zlib.NewWriterLevel(&b, level)
		_, err = w.Write([]byte(text))
		w.Close()
	case "bare deflate":
		w, _ := flate.NewWriter(&b, level)
		_, err = w.Write([]byte(text))
		w.Close()
	case "zstd":
		w, _ := zstd.NewWriter(&b, zstd.WithEncoderLevel(zstd.EncoderLevel(level)))
		_, err = w.Write([]byte(text))
		w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Content is compared unpacked; what cannot be unpacked, or becomes too long, as it came.
func TestContentIsComparedUnpacked(t *testing.T) {
	const text = "a text of some words, and a text of some words again"
	want := hashOf([]byte(text))
	var known knownContents
	read := func(coding string, wire []byte) knownContent {
		t.Helper()
		c, ok := known.read(wire, http.Header{"Content-Encoding": {coding}}, ownWords{})
		if !ok {
			t.Fatalf("%s was left out", coding)
		}
		return c
	}
	for _, level := range []int{1, 9} {
		for coding, as := range map[string]string{"gzip": "gzip", "deflate": "deflate", "bare deflate": "deflate"} {
			if c := read(as, packedBy(t, coding, text, level)); c.hash != want || c.packed != as || c.opaque {
				t.Errorf("%s, level %d: %+v", coding, level, c)
			}
		}
	}
	if c := read("zstd", packedBy(t, "zstd", text, 2)); c.hash != want {
		t.Errorf("zstd: %+v", c)
	}
	if c := read("deflate, gzip", packedBy(t, "gzip", string(packedBy(t, "deflate", text, 6)), 6)); c.hash != want {
		t.Errorf("twice packed: %+v", c)
	}
	bomb := packedBy(t, "gzip", strings.Repeat("0", maxUnpacked+1), 9)
	for coding, wire := range map[string][]byte{"gzip": []byte("no gzip"), "br": []byte("some bytes"), "x-gzip": bomb} {
		if c := read(coding, wire); c.hash != hashOf(wire) || !c.opaque {
			t.Errorf("%s: %d bytes, opaque %v", coding, len(c.body), c.opaque)
		}
	}
	known = knownContents{bytes: maxContents - 10}
	if c, ok := known.read(packedBy(t, "gzip", text, 6), http.Header{"Content-Encoding": {"gzip"}}, ownWords{}); ok &&
		len(c.body) > 10 {
		t.Errorf("there was room for %d bytes", len(c.body))
	}
}

func TestIsJSON(t *testing.T) {
	for kind, want := range map[string]bool{
		"application/json": true, "application/json; charset=utf-8": true, "Application/Problem+JSON": true,
		"application/x-ndjson": true,
		"text/html":            false, "application/x-protobuf": false, "": false, "text/plain; json": false,
		"application/jsonp": false,
	} {
		if isJSON(kind) != want {
			t.Errorf("%q: %v", kind, !want)
		}
	}
}

// All fields count, those that differ by nature by their name, and cookies by name and attributes.
func TestFieldsThatAreCompared(t *testing.T) {
	fields := func(lines ...string) []SampledField {
		header := http.Header{}
		for _, line := range lines {
			name, value, _ := strings.Cut(line, ": ")
			header.Add(name, value)
		}
		var s Sampled
		s.fields(header, "", ownWords{})
		return s.Fields
	}
	for _, c := range []struct {
		a, b []string
		same bool
	}{
		{[]string{"Set-Cookie: session=1; Path=/; HttpOnly"}, []string{"Set-Cookie: session=2; HttpOnly; path=/"},
			true},
		{[]string{"Set-Cookie: session=1; Expires=Mon"}, []string{"Set-Cookie: session=2; Expires=Tue"}, true},
		{[]string{"Set-Cookie: session=1"}, nil, false},
		{[]string{"Set-Cookie: session=1", "Set-Cookie: csrf=2"}, []string{"Set-Cookie: session=1"}, false},
		{[]string{"Set-Cookie: session=1; HttpOnly"}, []string{"Set-Cookie: session=1"}, false},
		{[]string{"Date: now"}, []string{"Date: then"}, true},
		{[]string{"Etag: 1"}, nil, false},
		{[]string{"X-Request-Id: 1"}, []string{"X-Request-Id: 2"}, true},
		{[]string{"X-Request-Id: 1"}, nil, false},
		{[]string{"Content-Type: a"}, []string{"Content-Type: b"}, false},
		{[]string{"Content-Length: 3"}, []string{"Transfer-Encoding: chunked", "Connection: keep-alive"}, true},
	} {
		if same := slices.Equal(fields(c.a...), fields(c.b...)); same != c.same {
			t.Errorf("%q and %q: same is %v", c.a, c.b, same)
		}
	}
}
