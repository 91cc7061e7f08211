// Command server is the shop of docs/start.md and docs/waiting.md: each path has a fault that hone finds.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"os"
	"regexp"
	"sync"
	"time"
)

// An item of the shop.
type item struct {
	Name  string  `json:"name"`
	Price float64 `json:"price"`
	Stock int     `json:"stock"`
}

type shop struct {
	items []item
	mu    sync.Mutex // holds the orders
	sold  int
	file  *os.File
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "address to listen on")
	flag.String("cache", "on", "has no effect yet")
	flag.Parse()
	journal, err := os.CreateTemp("", "orders-")
	if err != nil {
		log.Fatal(err)
	}
	os.Remove(journal.Name())
	s := &shop{file: journal}
	for _, name := range []string{"red shoes", "blue shoes", "green hat", "red scarf", "grey coat", "black socks"} {
		s.items = append(s.items, item{Name: name, Price: float64(len(name)), Stock: 3 * len(name)})
	}
	http.HandleFunc("/items", s.search)
	http.HandleFunc("/order", s.order)
	http.HandleFunc("/catalogue", s.catalogue)
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("ok")) })
	log.Fatal(http.ListenAndServe(*addr, nil))
}

// search answers with the items whose names match the word q.
func (s *shop) search(w http.ResponseWriter, r *http.Request) {
	word := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(r.FormValue("q")) + `\w*`)
	found := []item{}
	for _, i := range s.items {
		if word.MatchString(i.Name) {
			found = append(found, i)
		}
	}
	json.NewEncoder(w).Encode(found)
}

// order counts an order, and writes every five hundredth total to the disk.
func (s *shop) order(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sold++
	if s.sold%500 == 0 {
		s.save()
	}
	w.Write([]byte("ordered\n"))
}

// save writes the total; the sleep stands for a slow disk.
func (s *shop) save() {
	json.NewEncoder(s.file).Encode(s.sold)
	time.Sleep(30 * time.Millisecond)
}

// catalogue answers with all items, compressed.
func (s *shop) catalogue(w http.ResponseWriter, r *http.Request) {
	var page bytes.Buffer
	z := gzip.NewWriter(&page)
	json.NewEncoder(z).Encode(s.items)
	z.Close()
	w.Header().Set("Content-Encoding", "gzip")
	w.Write(page.Bytes())
}
