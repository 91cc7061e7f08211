// Command silent stores an order as it was understood, and checks that what it stores can be read again.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"io"
	"log"
	"net/http"
	"sync"
)

type line struct {
	Article string `json:"article"`
	Count   int    `json:"count"`
}

type order struct {
	Customer string `json:"customer"`
	Lines    []line `json:"lines"`
}

type store struct {
	mu   sync.Mutex
	last [64][]byte
	n    int
}

// keep stores the text of an order under its sum.
func (s *store) keep(o *order) (string, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return "", err
	}
	var again order
	if err := json.Unmarshal(text, &again); err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	s.mu.Lock()
	s.last[s.n%len(s.last)] = text
	s.n++
	s.mu.Unlock()
	return hex.EncodeToString(sum[:8]), nil
}

func (s *store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body bytes.Buffer
	if _, err := io.Copy(&body, http.MaxBytesReader(w, r.Body, 1<<16)); err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	var o order
	if err := json.Unmarshal(body.Bytes(), &o); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	id, err := s.keep(&o)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]string{"stored": id})
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	http.Handle("POST /orders", &store{})
	log.Fatal(http.ListenAndServe(*addr, nil))
}
