package services

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/base64"
	"hash/crc32"
	"io"
	"net/http"
	"strings"
)

// archive packs and unpacks texts of a size that the client chooses.
var archive = Service{
	Name: "archive", format: zapped, handler: newArchive,
	Endpoints: []Endpoint{
		{Name: "gzip", Method: "GET", Request: "/gzip/{key}?bytes={size}", Keys: files, Least: 500, Most: 40000},
		{Name: "unpack", Method: "GET", Request: "/unpack/{key}", Keys: files},
		{Name: "checksum", Method: "GET", Request: "/checksum/{key}?bytes={size}", Keys: files, Least: 1000, Most: 60000},
		{Name: "base64", Method: "GET", Request: "/base64/{key}?bytes={size}", Keys: files, Least: 500, Most: 30000},
	},
}

const (
	files    = 64
	fileSize = 64 << 10
)

type shelf struct{ plain, packed [files][]byte }

func newArchive() http.Handler {
	var s shelf
	for i := range files {
		s.plain[i] = []byte(strings.Repeat(text(i, 1200, 200+20*i)+"\n", 12))[:fileSize]
		var b bytes.Buffer
		z, _ := flate.NewWriter(&b, flate.DefaultCompression) // the level is valid
		_, _ = z.Write(s.plain[i])                            // a buffer takes all
		_ = z.Close()
		s.packed[i] = b.Bytes()
	}
	m := http.NewServeMux()
	m.HandleFunc("GET /gzip/{key}", s.gzip)
	m.HandleFunc("GET /unpack/{key}", s.unpack)
	m.HandleFunc("GET /checksum/{key}", s.checksum)
	m.HandleFunc("GET /base64/{key}", s.base64)
	return m
}

// wanted is the part of a file that the client asks for.
func (s *shelf) wanted(r *http.Request) []byte {
	return s.plain[number(r, "key", files)][:number(r, "bytes", fileSize)]
}

func (s *shelf) gzip(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/gzip")
	z := gzip.NewWriter(w)
	_, _ = z.Write(s.wanted(r)) // a client that is gone needs no answer
	_ = z.Close()
}

func (s *shelf) unpack(w http.ResponseWriter, r *http.Request) {
	n, _ := io.Copy(io.Discard, flate.NewReader(bytes.NewReader(s.packed[number(r, "key", files)]))) // it was packed here
	say(w, n)
}

// checksum adds up what each of the words has.
func (s *shelf) checksum(w http.ResponseWriter, r *http.Request) {
	sum, rolling := crc32.ChecksumIEEE(s.wanted(r)), uint32(1)
	for _, c := range s.wanted(r) {
		rolling = rolling*16777619 ^ uint32(c)
	}
	say(w, sum^rolling)
}

func (s *shelf) base64(w http.ResponseWriter, r *http.Request) {
	encoded := base64.StdEncoding.EncodeToString(s.wanted(r))
	for len(encoded) > 76 {
		_, _ = io.WriteString(w, encoded[:76]+"\n") // a client that is gone needs no answer
		encoded = encoded[76:]
	}
	say(w, encoded)
}
