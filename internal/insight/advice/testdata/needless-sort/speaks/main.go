// Command speaks pages through a price list, the cheapest offers first.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
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

func (l *list) put(o offer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.offers = append(l.offers, o)
}

func (l *list) page(n, size int) []offer {
	l.mu.RLock()
	defer l.mu.RUnlock()
	view := make([]*offer, len(l.offers))
	for i := range l.offers {
		view[i] = &l.offers[i]
	}
	sort.Slice(view, func(i, j int) bool { // want: needless-sort
		if view[i].Cents != view[j].Cents {
			return view[i].Cents < view[j].Cents
		}
		return view[i].Name < view[j].Name
	})
	from := min(n*size, len(view))
	part := make([]offer, 0, size)
	for _, o := range view[from:min(from+size, len(view))] {
		part = append(part, *o)
	}
	return part
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
