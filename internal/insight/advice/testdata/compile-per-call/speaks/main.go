// Command speaks checks addresses that are posted to it, and answers them in one form.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"net/http"

	"github.com/gohone/hone/internal/insight/advice/testdata/compile-per-call/speaks/address"
)

type reply struct {
	Valid bool   `json:"valid"`
	Text  string `json:"text"`
}

func check(w http.ResponseWriter, r *http.Request) {
	var a address.Address
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	err := a.Validate()
	out := reply{Valid: err == nil, Text: a.String()}
	if err != nil {
		out.Text = err.Error()
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	http.HandleFunc("POST /addresses", check)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
