// Command silent asks two replicas of a dictionary at once and answers when both have
// answered. It also has 300 goroutines that wait for work from its start on.
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

// first is the translation that all replicas agree on.
func (d dictionary) first(ctx context.Context, word string) (string, error) {
	found := make(chan string, len(d))
	for _, r := range d {
		go func() {
			found <- r.translate(word)
		}()
	}
	var text string
	for range d {
		select {
		case text = <-found:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	return text, nil
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
	chores := make(chan func())
	for range 300 {
		go func() {
			for do := range chores {
				do()
			}
		}()
	}
	go func() {
		for range time.Tick(100 * time.Millisecond) {
			chores <- runtime.Gosched
		}
	}()
	log.Print(runtime.GOMAXPROCS(0), " CPUs")
	log.Fatal(http.ListenAndServe(*addr, d))
}
