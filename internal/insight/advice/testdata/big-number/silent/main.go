// Command silent answers with the digits of a continued fraction, which no number of fixed size holds.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/big"
	"net/http"
	"strconv"
)

// convergent is the nearest fraction of a continued fraction to so many terms.
func convergent(terms []int64) *big.Rat {
	x := new(big.Rat).SetInt64(terms[len(terms)-1])
	for i := len(terms) - 2; i >= 0; i-- {
		x.Inv(x)
		x.Add(x, new(big.Rat).SetInt64(terms[i]))
	}
	return x
}

func answer(w http.ResponseWriter, r *http.Request) {
	depth, err := strconv.Atoi(r.FormValue("depth"))
	if err != nil || depth < 1 || depth > 200 {
		http.Error(w, "want a depth of 1 to 200", http.StatusBadRequest)
		return
	}
	terms := []int64{2}
	for i := int64(1); len(terms) < depth; i++ {
		terms = append(terms, 1, 2*i, 1)
	}
	fmt.Fprintln(w, convergent(terms).FloatString(80))
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	http.HandleFunc("GET /e", answer)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
