package otlp

import (
	"compress/gzip"
	"io"
	"mime"
	"net/http"
)

// mostBody bounds a request of an exporter, packed or not: a batch of 512 spans, the most that an SDK sends by default,
// has 1 MB.
const mostBody = 16 << 20

// Receiver takes what exporters send by OTLP over HTTP (OTLP specification, "OTLP/HTTP"), as protobuf or JSON, gzipped
// or not, and calls take with the spans, from several goroutines. Logs and metrics are answered and left.
func Receiver(take func([]Span)) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/traces", func(w http.ResponseWriter, r *http.Request) { receive(w, r, take) })
	for _, other := range []string{"POST /v1/metrics", "POST /v1/logs"} {
		mux.HandleFunc(other, func(w http.ResponseWriter, r *http.Request) { receive(w, r, nil) })
	}
	return mux
}

// receive answers a request; take is nil for what is left.
func receive(w http.ResponseWriter, r *http.Request, take func([]Span)) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	read, empty := Protobuf, ""
	switch kind {
	case "application/x-protobuf":
	case "application/json":
		read, empty = JSON, "{}"
	default:
		http.Error(w, "want application/x-protobuf or application/json", http.StatusUnsupportedMediaType)
		return
	}
	body, err := unpacked(r)
	if err == nil && len(body) > mostBody {
		http.Error(w, "the request is too large", http.StatusRequestEntityTooLarge)
		return
	}
	var spans []Span
	if err == nil && take != nil {
		spans, err = read(body)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if take != nil {
		take(spans)
	}
	w.Header().Set("Content-Type", kind)
	_, _ = io.WriteString(w, empty) // an answer without fields: all of it was taken
}

// unpacked is the body of a request; of one that is too large, a byte more than the bound.
func unpacked(r *http.Request) ([]byte, error) {
	var from io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(io.LimitReader(r.Body, mostBody))
		if err != nil {
			return nil, err
		}
		from = z
	}
	return io.ReadAll(io.LimitReader(from, mostBody+1))
}
