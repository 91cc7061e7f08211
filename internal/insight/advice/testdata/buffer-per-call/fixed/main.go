// Command fixed takes uploads in lines, and answers how many lines and bytes there were, and
// their checksum.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"hash"
	"hash/crc64"
	"io"
	"log"
	"net/http"
	"sync"
)

const step = 48 << 10

var table = crc64.MakeTable(crc64.ECMA)

type summary struct {
	Lines int    `json:"lines"`
	Bytes int    `json:"bytes"`
	Sum   uint64 `json:"sum"`
}

var spare = sync.Pool{New: func() any { return new([step]byte) }}

// digest reads to the end.
func digest(r io.Reader, sum hash.Hash64) (s summary, err error) {
	held := spare.Get().(*[step]byte)
	defer spare.Put(held)
	part := held[:]
	for {
		n, err := r.Read(part)
		s.Bytes += n
		s.Lines += bytes.Count(part[:n], []byte{'\n'})
		sum.Write(part[:n])
		if errors.Is(err, io.EOF) {
			s.Sum = sum.Sum64()
			return s, nil
		}
		if err != nil {
			return s, err
		}
	}
}

func upload(w http.ResponseWriter, r *http.Request) {
	s, err := digest(http.MaxBytesReader(w, r.Body, 1<<20), crc64.New(table))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(s); err != nil {
		log.Print(err)
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	http.HandleFunc("POST /upload", upload)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
