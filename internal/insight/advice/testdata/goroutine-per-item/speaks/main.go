// Command speaks answers how many of the known words are near to the one that is asked for.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
)

type words []string

// distance is how many letters differ.
func distance(a, b string) (n int) {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			n++
		}
	}
	return n + max(len(a), len(b)) - min(len(a), len(b))
}

// near counts the words with at most so many other letters.
func (w words) near(asked string, most int) int {
	var wg sync.WaitGroup
	var n atomic.Int64
	for _, one := range w {
		wg.Add(1)
		go func() { // want: goroutine-per-item
			defer wg.Done()
			if distance(one, asked) <= most {
				n.Add(1)
			}
		}()
	}
	wg.Wait()
	return int(n.Load())
}

func (w words) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(rw, w.near(r.FormValue("word"), 3))
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	var w words
	for i := range 600 {
		w = append(w, "word"+strconv.Itoa(i*7919))
	}
	http.Handle("GET /near", w)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
