// Command fixed pages through a price list, the cheapest offers first.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	"slices"
	"sort"
	"strconv"
	"sync"
)

type offer struct {
	Name  string `json:"name"`
	Cents int    `json:"cents"`
	Stock int    `json:"stock"`
}

// list is the offers; they change a few times a day.
type list struct {
	mu     sync.RWMutex
	offers []offer
}

func before(a, b *offer) bool {
	if a.Cents != b.Cents {
		return a.Cents < b.Cents
	}
	return a.Name < b.Name
}

func (l *list) put(o offer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := sort.Search(len(l.offers), func(i int) bool { return before(&o, &l.offers[i]) })
	l.offers = slices.Insert(l.offers, at, o)
}

func (l *list) page(n, size int) []offer {
	l.mu.RLock()
	defer l.mu.RUnlock()
	from := min(n*size, len(l.offers))
	return slices.Clone(l.offers[from:min(from+size, len(l.offers))])
}

func (l *list) serve(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.FormValue("page"))
	if err != nil || n < 0 {
		http.Error(w, "page: a number from 0 on", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(l.page(n, 20)); err != nil {
		log.Print(err)
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	l := new(list)
	for i := range 300 {
		l.put(offer{Name: fmt.Sprintf("offer %d", i), Cents: i * 7919 % 997, Stock: i})
	}
	http.HandleFunc("/offers", l.serve)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
