// Command speaks answers with the invoice of a basket.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/big"
	"net/http"
	"strconv"
)

type article struct {
	name  string
	price *big.Rat
}

type shop struct {
	articles []article
	tax      *big.Rat
}

// invoice adds up so many of each article, with the tax.
func (s *shop) invoice(count int64) (net, gross *big.Rat) {
	net = new(big.Rat)
	for _, a := range s.articles {
		line := new(big.Rat).Mul(a.price, new(big.Rat).SetInt64(count)) // want: big-number
		net.Add(net, line)                                              // want: big-number
	}
	return net, new(big.Rat).Mul(net, s.tax)
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	count, err := strconv.ParseInt(r.FormValue("count"), 10, 32)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	net, gross := s.invoice(count)
	fmt.Fprintf(w, "net %s gross %s\n", net.FloatString(2), gross.FloatString(2))
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	s := &shop{tax: big.NewRat(119, 100)}
	for i := range 120 {
		s.articles = append(s.articles, article{"article " + strconv.Itoa(i), big.NewRat(int64(100+37*i), 100)})
	}
	http.Handle("GET /invoice", s)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
