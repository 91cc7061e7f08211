// Command silent does the same, and its collector knows the limit.
package main

import (
	"flag"
	"log"
	"net/http"
	"runtime/debug"
	"strconv"
)

var table [][]byte

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "host:port to listen on")
	flag.Parse()
	debug.SetMemoryLimit(72 << 20)
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
