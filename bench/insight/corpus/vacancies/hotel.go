package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
)

type room struct {
	Number int    `json:"number"`
	Beds   int    `json:"beds"`
	Euro   int    `json:"euro"`
	View   string `json:"view"`
	taken  uint64 // a bit for each of the next 64 nights
}

type hotel struct{ rooms []room }

func newHotel(n int) *hotel {
	h := &hotel{rooms: make([]room, n)}
	for i := range h.rooms {
		h.rooms[i] = room{Number: 100 + i, Beds: i%4 + 1, Euro: 50 + i*37%200, View: []string{"sea", "yard", "street"}[i%3], taken: uint64(i) * 0x9E3779B97F4A7C15}
	}
	return h
}

// freeNights counts the longest run of free nights.
func (r *room) freeNights() int {
	best, run := 0, 0
	for t, i := r.taken, 0; i < 64; t, i = t>>1, i+1 {
		if t&1 == 1 {
			run = 0
			continue
		}
		run++
		best = max(best, run)
	}
	return best
}

func (h *hotel) find(beds, most, nights int) []*room {
	var found []*room
	for i := range h.rooms {
		r := &h.rooms[i]
		if r.Beds == beds && r.Euro <= most && r.freeNights() >= nights {
			found = append(found, r)
		}
	}
	return found
}

func (h *hotel) vacancies(w http.ResponseWriter, r *http.Request) {
	beds, err1 := strconv.Atoi(r.FormValue("beds"))
	most, err2 := strconv.Atoi(r.FormValue("max"))
	if err := errors.Join(err1, err2); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	found := h.find(beds, most, 9)
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"count": len(found), "rooms": found[:min(8, len(found))]})
}
