// Package subject has benchmarks of public libraries whose operation is so many equal units of
// work. With the variable UNITS in the environment it is another number: 203 instead of 200 is
// a slow-down of 1.5 % by construction.
package subject

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/pprof/profile"
	"github.com/klauspost/compress/zstd"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/tidwall/gjson"
	"github.com/valyala/fasthttp"
)

// units is how many units of work an operation has.
var units = 200

func TestMain(m *testing.M) {
	if text := os.Getenv("UNITS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			os.Stderr.WriteString("UNITS=" + text + ": want a number over 0\n")
			os.Exit(2)
		}
		units = n
	}
	os.Exit(m.Run())
}

// BenchmarkZstd unpacks 4 kB of text, and allocates nothing.
func BenchmarkZstd(b *testing.B) {
	var text strings.Builder
	for i := 0; text.Len() < 4096; i++ {
		fmt.Fprintf(&text, "%d: a gopher digs hole %d\n", i, i*i%97)
	}
	w, err := zstd.NewWriter(nil)
	if err != nil {
		b.Fatal(err)
	}
	packed := w.EncodeAll([]byte(text.String()), nil)
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	var unpacked []byte
	for b.Loop() {
		for range units {
			if unpacked, err = r.DecodeAll(packed, unpacked[:0]); err != nil {
				b.Fatal(err)
			}
		}
	}
}

const document = `{"id": 17, "owner": {"name": "gopher", "mail": "gopher@example.org"}, "tags": ["small", "blue", "quick"],
	"holes": [{"x": 1, "y": 2, "depth": 0.5}, {"x": 3, "y": 4, "depth": 1.5}, {"x": 5, "y": 6, "depth": 2.5}]}`

// BenchmarkGJSON finds a value in a document without decoding it.
func BenchmarkGJSON(b *testing.B) {
	for b.Loop() {
		for range units {
			if gjson.Get(document, "holes.2.depth").Num != 2.5 {
				b.Fatal("another value")
			}
		}
	}
}

// BenchmarkFastHTTP reads the header of a request.
func BenchmarkFastHTTP(b *testing.B) {
	request := []byte("GET /holes/17?depth=2 HTTP/1.1\r\nHost: example.org\r\nUser-Agent: gopher/1.0\r\nAccept: application/json\r\nAccept-Encoding: gzip\r\n\r\n")
	var header fasthttp.RequestHeader
	source := bytes.NewReader(request)
	r := bufio.NewReader(source)
	for i := 0; i < b.N; i++ {
		for range units {
			source.Reset(request)
			r.Reset(source)
			if err := header.Read(r); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkPrometheus observes a value of a histogram with labels.
func BenchmarkPrometheus(b *testing.B) {
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "dig_seconds", Help: "Time to dig a hole."}, []string{"method", "code"})
	for b.Loop() {
		for i := range units {
			seconds.WithLabelValues("GET", "200").Observe(float64(i%100) / 50)
		}
	}
}

// kept are results that stay reachable for a while, so that the collector has something to mark.
var (
	keptMaps     [2048]map[string]any
	keptProfiles [512]*profile.Profile
)

// BenchmarkYAML decodes a small document into maps: the collector is busy.
func BenchmarkYAML(b *testing.B) {
	text := []byte("name: gopher\nholes:\n- {x: 1, y: 2}\n- {x: 3, y: 4}\n")
	n := 0
	for b.Loop() {
		for range units {
			var v map[string]any
			if err := yaml.Unmarshal(text, &v); err != nil {
				b.Fatal(err)
			}
			keptMaps[n%len(keptMaps)] = v
			n++
		}
	}
}

// BenchmarkPprof parses a profile of 20 samples: the collector is busy.
func BenchmarkPprof(b *testing.B) {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}}
	for i := range uint64(20) {
		f := &profile.Function{ID: i + 1, Name: fmt.Sprint("dig", i)}
		l := &profile.Location{ID: i + 1, Line: []profile.Line{{Function: f, Line: int64(i)}}}
		p.Function, p.Location = append(p.Function, f), append(p.Location, l)
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{l}, Value: []int64{int64(i)}})
	}
	var text bytes.Buffer
	if err := p.WriteUncompressed(&text); err != nil {
		b.Fatal(err)
	}
	n := 0
	for b.Loop() {
		for range units {
			p, err := profile.ParseUncompressed(text.Bytes())
			if err != nil {
				b.Fatal(err)
			}
			keptProfiles[n%len(keptProfiles)] = p
			n++
		}
	}
}
