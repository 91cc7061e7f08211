package main

import (
	"fmt"
	"slices"
	"sync"
)

type seat struct {
	ID    int
	Label string
	Zone  int
}

type hall struct {
	rows   [][]seat
	prices []int
}

func newHall(rows, width int) *hall {
	h := &hall{prices: []int{120, 90, 60, 35}}
	for r := range rows {
		row := make([]seat, width)
		for i := range row {
			row[i] = seat{ID: r*width + i, Label: fmt.Sprintf("%c%02d", 'A'+r%26, i+1), Zone: r * len(h.prices) / rows}
		}
		h.rows = append(h.rows, row)
	}
	return h
}

func (h *hall) price(s seat) int { return h.prices[s.Zone] }

type show struct {
	mu   sync.Mutex
	sold []int
}

func newShow(h *hall, every int) *show {
	s := &show{}
	for _, row := range h.rows {
		for _, x := range row {
			if x.ID%every == 0 {
				s.sold = append(s.sold, x.ID)
			}
		}
	}
	return s
}

func (s *show) tickets() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.sold)
}
