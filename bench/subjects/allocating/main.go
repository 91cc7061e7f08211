// Command subject is a service with a planted allocator: it makes a new zlib writer, some
// hundred kB each, for every message. With -fixed it uses one again and again.
package main

import (
	"bytes"
	"compress/zlib"
	"flag"
	"io"
	"log"
	"net/http"
	"strings"
	"sync"
)

var message = []byte(strings.Repeat("some words of a chat message; ", 20))

// held is a part of the heap that every collection has to mark.
var held = map[int][]*int{}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "address to listen on")
	fixed := flag.Bool("fixed", false, "use writers again")
	flag.Parse()
	for i := range 2_000 {
		for range 50 {
			held[i] = append(held[i], new(int))
		}
	}
	compress := planted
	if *fixed {
		compress = pooled
	}
	log.Fatal(http.ListenAndServe(*addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text := compress()
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write(text)
	})))
}

// planted is what is to be found: a writer of its own for each message.
func planted() []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	if _, err := w.Write(message); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	return b.Bytes()
}

var pool = sync.Pool{New: func() any { return zlib.NewWriter(io.Discard) }}

func pooled() []byte {
	var b bytes.Buffer
	w := pool.Get().(*zlib.Writer)
	w.Reset(&b)
	if _, err := w.Write(message); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	pool.Put(w)
	return b.Bytes()
}
