// Command silent does the same on one thread at a time, which is what half a CPU has room for.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"log"
	"net/http"
	"runtime"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "host:port to listen on")
	flag.Parse()
	runtime.GOMAXPROCS(1)
	block := make([]byte, 512<<10)
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%x", sha256.Sum256(block))
	})
	log.Fatal(http.ListenAndServe(*addr, nil))
}
