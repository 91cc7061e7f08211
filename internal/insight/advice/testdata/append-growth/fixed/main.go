// Command fixed answers which stations of a network lie in a rectangle, and which of them is the
// highest.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"math/rand/v2"
	"net/http"
	"strconv"
)

type station struct {
	ID       int
	Lat, Lon float64
	Height   float64
	Since    int64
}

// pick is the elements for which keep holds.
func pick[T any](all []T, keep func(*T) bool) []T {
	some := make([]T, 0, len(all))
	for i := range all {
		if keep(&all[i]) {
			some = append(some, all[i])
		}
	}
	return some
}

// best is the element with the largest value; nil if there is none.
func best[T any](all []T, value func(*T) float64) *T {
	var top *T
	for i := range all {
		if top == nil || value(&all[i]) > value(top) {
			top = &all[i]
		}
	}
	return top
}

type network struct{ stations []station }

type answer struct {
	Found   int     `json:"found"`
	Highest int     `json:"highest"`
	Mean    float64 `json:"mean"`
}

func (n *network) within(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	south, err1 := strconv.ParseFloat(q.Get("south"), 64)
	north, err2 := strconv.ParseFloat(q.Get("north"), 64)
	if err1 != nil || err2 != nil {
		http.Error(w, "south and north are degrees", http.StatusBadRequest)
		return
	}
	some := pick(n.stations, func(s *station) bool { return s.Lat >= south && s.Lat < north })
	a := answer{Found: len(some)}
	for i := range some {
		a.Mean += some[i].Height / float64(len(some))
	}
	if top := best(some, func(s *station) float64 { return s.Height }); top != nil {
		a.Highest = top.ID
	}
	if err := json.NewEncoder(w).Encode(a); err != nil {
		log.Print(err)
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	random := rand.New(rand.NewPCG(1, 2))
	n := new(network)
	for i := range 1500 {
		n.stations = append(n.stations, station{ID: i, Lat: random.Float64() * 90, Lon: random.Float64() * 180,
			Height: random.Float64() * 3000, Since: random.Int64N(1e9)})
	}
	http.HandleFunc("/within", n.within)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
