// Command fixed explains queries of a small search language: it splits them into terms, groups
// them and says what each would match.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/insight/advice/testdata/object-per-call/fixed/query"
)

// service explains with a limit on the length of queries.
type service struct{ longest int }

func (s *service) explain(w http.ResponseWriter, r *http.Request) {
	text := r.URL.Query().Get("q")
	if len(text) > s.longest {
		http.Error(w, "query too long", http.StatusRequestEntityTooLarge)
		return
	}
	plan, err := query.Explain(text)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(plan)))
	fmt.Fprint(w, plan)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	longest := flag.Int("longest", 4096, "`bytes` of the longest query")
	flag.Parse()
	s := &service{longest: *longest}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /explain", s.explain)
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, strings.TrimPrefix(r.URL.Path, "/"))
	})
	log.Fatal(http.ListenAndServe(*addr, mux))
}
