// Command silent keeps a session for each visitor and says in the debug log how large it is. The
// debug log is off, and its arguments are at hand.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"os"
	"sync"
)

type visit struct {
	Path  string `json:"path"`
	Bytes int    `json:"bytes"`
	Agent string `json:"agent"`
}

type session struct {
	Visitor string  `json:"visitor"`
	Visits  []visit `json:"visits"`
	Total   int     `json:"total"`
}

func (s *session) add(v visit) {
	if len(s.Visits) == 16 {
		s.Visits = append(s.Visits[:0], s.Visits[1:]...)
	}
	s.Visits = append(s.Visits, v)
	s.Total++
}

func (s *session) dump() string {
	b, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

type sessions struct {
	log *slog.Logger
	mu  sync.Mutex
	all map[string]*session
}

func (s *sessions) of(visitor string) *session {
	found, ok := s.all[visitor]
	if !ok {
		found = &session{Visitor: visitor}
		s.all[visitor] = found
	}
	return found
}

func (s *sessions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	visitor := r.URL.Query().Get("visitor")
	if visitor == "" || len(visitor) > 20 {
		s.log.Warn("visitor without a name", "remote", r.RemoteAddr)
		http.Error(w, "who?", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	mine := s.of(visitor)
	mine.add(visit{Path: r.URL.Path, Bytes: len(r.URL.RawQuery), Agent: r.UserAgent()})
	s.log.Debug("visit", "visitor", visitor, "visits", len(mine.Visits))
	fmt.Fprintln(w, mine.dump())
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	level := flag.String("level", "INFO", "`level` of the log")
	flag.Parse()
	var l slog.Level
	if err := l.UnmarshalText([]byte(*level)); err != nil {
		log.Fatal(err)
	}
	s := &sessions{all: map[string]*session{},
		log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: l}))}
	log.Fatal(http.ListenAndServe(*addr, s))
}
