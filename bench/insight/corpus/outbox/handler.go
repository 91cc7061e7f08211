package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"sync/atomic"
	"time"
)

type event struct {
	ID      string          `json:"id"`
	Type    string          `json:"type"`
	Subject string          `json:"subject"`
	At      time.Time       `json:"at"`
	Data    json.RawMessage `json:"data"`
}

type service struct {
	journal *journal
	now     func() time.Time
	count   atomic.Int64
}

var topicName = regexp.MustCompile(`^[a-z]{1,32}$`)

func (s *service) accept(w http.ResponseWriter, r *http.Request) {
	topic := r.PathValue("topic")
	if !topicName.MatchString(topic) {
		http.Error(w, "bad topic", http.StatusBadRequest)
		return
	}
	var e event
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&e); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if e.ID == "" || e.Type == "" {
		http.Error(w, "id and type are needed", http.StatusUnprocessableEntity)
		return
	}
	e.At = s.now().UTC()
	line, err := json.Marshal(e)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if err := s.journal.append(topic, line); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	s.count.Add(1)
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"accepted":%q}`, e.ID)
}

func (s *service) topics(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, s.count.Load(), "events")
}
