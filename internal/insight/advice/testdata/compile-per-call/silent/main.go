// Command silent searches its lines for a pattern that the client sends. It must compile what it
// gets, but keeps the last patterns, so that a pattern is compiled when it is new.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	"regexp"
	"sync"
)

// patterns keeps those that were used, up to a number.
type patterns struct {
	mu   sync.Mutex
	most int
	by   map[string]*regexp.Regexp
}

func (p *patterns) of(text string) (*regexp.Regexp, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if re, ok := p.by[text]; ok {
		return re, nil
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	if len(p.by) == p.most {
		clear(p.by)
	}
	p.by[text] = re
	return re, nil
}

type library struct {
	patterns patterns
	lines    []string
}

func (l *library) search(w http.ResponseWriter, r *http.Request) {
	re, err := l.patterns.of(r.URL.Query().Get("pattern"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	n := 0
	for _, line := range l.lines {
		if re.MatchString(line) {
			n++
		}
	}
	fmt.Fprintln(w, n)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	l := &library{patterns: patterns{most: 100, by: map[string]*regexp.Regexp{}}}
	for i := range 60 {
		l.lines = append(l.lines, fmt.Sprintf("line %d of a book of %d lines", i, i*i))
	}
	http.HandleFunc("GET /search", l.search)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
