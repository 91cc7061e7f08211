package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"corpus/truth"
)

type berth struct {
	ID     int       `json:"id"`
	Depth  float64   `json:"depth"`
	Vessel string    `json:"vessel"`
	Until  time.Time `json:"until"`
	Visits int       `json:"visits"`
}

type harbour struct {
	office string

	mu     sync.Mutex
	berths []berth
	audits int
}

func newHarbour(n int, office string) *harbour {
	h := &harbour{office: office, berths: make([]berth, n)}
	for i := range h.berths {
		h.berths[i] = berth{ID: i, Depth: 4 + float64(i%9)*0.7}
	}
	return h
}

func (h *harbour) reserve(w http.ResponseWriter, r *http.Request) {
	t := truth.Begin()
	defer t.End()
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil || id < 0 || id >= len(h.berths) {
		http.Error(w, "no such berth", http.StatusNotFound)
		return
	}
	vessel := r.FormValue("vessel")
	got := t.Part("berth lock")
	h.mu.Lock()
	got()
	b := &h.berths[id]
	b.Vessel = vessel
	b.Until = time.Now().Add(6 * time.Hour)
	b.Visits++
	answer := *b
	h.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(answer)
}

// startAudit answers at once; the audit itself runs on.
func (h *harbour) startAudit(w http.ResponseWriter, r *http.Request) {
	t := truth.Begin()
	defer t.End()
	go h.audit()
	w.WriteHeader(http.StatusAccepted)
	fmt.Fprintln(w, "audit started")
}

// audit compares each berth with the book of the pilots' office.
func (hb *harbour) audit() {
	conn, err := net.Dial("tcp", hb.office)
	if err != nil {
		return
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	hb.mu.Lock()
	defer hb.mu.Unlock()
	for i := 0; i < len(hb.berths); i += 10 {
		fmt.Fprintf(conn, "book %d %s\n", i, strings.ReplaceAll(hb.berths[i].Vessel, " ", "_"))
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		if strings.HasPrefix(line, "free") {
			hb.berths[i].Vessel = ""
		}
	}
	hb.audits++
}
