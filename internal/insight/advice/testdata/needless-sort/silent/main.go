// Command silent answers the median and the extremes of the values that a request brings. It sorts
// for each request, because each request has values of its own.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"slices"
)

type sample struct {
	Values []float64 `json:"values"`
}

type spread struct {
	Low    float64 `json:"low"`
	Median float64 `json:"median"`
	High   float64 `json:"high"`
}

func measure(values []float64) spread {
	slices.Sort(values)
	n := len(values)
	return spread{Low: values[0], Median: (values[(n-1)/2] + values[n/2]) / 2, High: values[n-1]}
}

func serve(w http.ResponseWriter, r *http.Request) {
	var s sample
	if err := json.NewDecoder(r.Body).Decode(&s); err != nil || len(s.Values) == 0 {
		http.Error(w, "values: numbers", http.StatusBadRequest)
		return
	}
	_ = json.NewEncoder(w).Encode(measure(s.Values))
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	http.HandleFunc("POST /spread", serve)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
