// Command silent makes fingerprints of passwords, as many at a time as there are CPUs. Requests wait
// for a slot, but the work is computing: more slots would not end it sooner.
package main

import (
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"io"
	"log"
	"net/http"
	"runtime"
)

type guard struct {
	slots  chan struct{}
	salt   []byte
	rounds int
}

func (g *guard) print(password string) (string, error) {
	g.slots <- struct{}{}
	defer func() { <-g.slots }()
	key, err := pbkdf2.Key(sha256.New, password, g.salt, g.rounds, 32)
	return hex.EncodeToString(key), err
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 256))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	text, err := g.print(string(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	io.WriteString(w, text)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	g := &guard{slots: make(chan struct{}, runtime.GOMAXPROCS(0)), salt: []byte("of the house"), rounds: 1000}
	log.Fatal(http.ListenAndServe(*addr, g))
}
