// Command speaks hashes what it is sent. In a box of half a CPU its threads use up the time of a period at once.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"log"
	"net/http"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "host:port to listen on")
	flag.Parse()
	block := make([]byte, 512<<10)
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%x", sha256.Sum256(block))
	})
	log.Fatal(http.ListenAndServe(*addr, nil))
}
