// Command speaks asks two replicas of a dictionary at once and answers with what comes first.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net/http"
	"runtime"
	"strings"
	"time"
)

// replica translates words.
type replica struct {
	name  string
	words map[string]string
}

func (r *replica) translate(word string) string {
	var parts []string
	for part := range strings.SplitSeq(word, "-") {
		if w, ok := r.words[part]; ok {
			parts = append(parts, w)
		} else {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " ")
}

type dictionary []*replica

// first is the translation of the replica that is ready first.
func (d dictionary) first(ctx context.Context, word string) (string, error) {
	found := make(chan string)
	for _, r := range d {
		go func() { // want: goroutine-leak
			found <- r.translate(word) // want: goroutine-leak
		}()
	}
	select {
	case text := <-found:
		return text, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (d dictionary) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), time.Second)
	defer cancel()
	text, err := d.first(ctx, r.URL.Query().Get("word"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusGatewayTimeout)
		return
	}
	fmt.Fprintln(w, text)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	var d dictionary
	for _, name := range []string{"east", "west"} {
		r := &replica{name: name, words: map[string]string{"guten": "good", "tag": "day", "welt": "world"}}
		d = append(d, r)
	}
	log.Print(runtime.GOMAXPROCS(0), " CPUs")
	log.Fatal(http.ListenAndServe(*addr, d))
}
