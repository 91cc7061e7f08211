// Command silent counts the words of a text that is posted to it. Its map starts without a size, and gets some
// eight keys.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"log"
	"net/http"
)

// census counts words of one text.
type census struct {
	seen    map[uint64]int32
	total   int
	longest int
	sum     uint64
}

func words(text []byte) (c census) {
	c.seen = make(map[uint64]int32)
	s := bufio.NewScanner(bytes.NewReader(text))
	s.Split(bufio.ScanWords)
	for s.Scan() {
		c.note(s.Bytes())
	}
	return c
}

// note hashes a word (FNV-1a, 64 bits) and counts its length.
func (c *census) note(word []byte) {
	h := uint64(14695981039346656037)
	for _, b := range word {
		h = (h ^ uint64(b)) * 1099511628211
	}
	c.seen[uint64(len(word)&7)]++
	c.sum ^= h
	c.total++
	c.longest = max(c.longest, len(word))
}

func (c *census) most() (n int32) {
	for _, v := range c.seen {
		n = max(n, v)
	}
	return n
}

type result struct {
	Words    int    `json:"words"`
	Distinct int    `json:"distinct"`
	Longest  int    `json:"longest"`
	Most     int32  `json:"most"`
	Sum      uint64 `json:"sum"`
}

func count(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c := words(text)
	_ = json.NewEncoder(w).Encode(result{c.total, len(c.seen), c.longest, c.most(), c.sum})
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	http.HandleFunc("POST /count", count)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
