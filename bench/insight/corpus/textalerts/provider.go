package main

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
)

// provider stands for the network operator. Numbers of one carrier get through only at the third try.
type provider struct{ refused atomic.Int64 }

func newProvider() *provider { return new(provider) }

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	try, err := strconv.Atoi(r.FormValue("try"))
	if err != nil {
		http.Error(w, "try is a number", http.StatusBadRequest)
		return
	}
	if strings.HasPrefix(r.FormValue("to"), "0199") && try < 3 {
		p.refused.Add(1)
		http.Error(w, "carrier busy", http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintf(w, "queued %d", len(r.FormValue("text")))
}
