// Command speaks keeps a table of 40 MB and makes garbage. Its heap may grow to twice of the table, which its box has not.
package main

import (
	"flag"
	"log"
	"net/http"
	"strconv"
)

var table [][]byte

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "host:port to listen on")
	flag.Parse()
	for range 40_000 {
		table = append(table, make([]byte, 1000))
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		answer := make([]byte, 0, 20_000)
		for i := range 1000 {
			answer = strconv.AppendInt(answer, int64(len(table[i*40])+i), 10)
		}
		w.Write(answer)
	})
	log.Fatal(http.ListenAndServe(*addr, nil))
}
