package main

import "sync"

type entry struct {
	Number  int    `json:"number"`
	Subject string `json:"subject"`
	Topic   string `json:"topic"`
	Words   int    `json:"words"`
}

// history has the newest entries.
type history struct {
	mu   sync.Mutex
	ring []entry
	next int
}

func newHistory(n int) *history { return &history{ring: make([]entry, n)} }

func (h *history) add(e entry) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	e.Number = h.next
	h.ring[h.next%len(h.ring)] = e
	h.next++
	return e.Number
}

func (h *history) newest(n int) []entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []entry
	for i := h.next - 1; i >= 0 && len(out) < n && i >= h.next-len(h.ring); i-- {
		out = append(out, h.ring[i%len(h.ring)])
	}
	return out
}
