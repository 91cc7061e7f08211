package main

import "sync"

type shelf struct {
	mu    sync.Mutex
	boxes []box
}

type box struct{ sku, units int }

// units returns how many units of an article are on the shelf, and in how many boxes.
func (sh *shelf) units(sku int) (units, boxes int) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for _, b := range sh.boxes {
		if b.sku == sku {
			units += b.units
			boxes++
		}
	}
	return units, boxes
}

func (sh *shelf) take() (box, bool) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if len(sh.boxes) == 0 {
		return box{}, false
	}
	b := sh.boxes[len(sh.boxes)-1]
	sh.boxes = sh.boxes[:len(sh.boxes)-1]
	return b, true
}

type stock struct{ shelves []*shelf }

func newStock(shelves, boxes int) *stock {
	s := &stock{}
	for i := range shelves {
		sh := &shelf{}
		for k := range boxes {
			sh.boxes = append(sh.boxes, box{sku: (i*7 + k*3) % 50, units: k%12 + 1})
		}
		s.shelves = append(s.shelves, sh)
	}
	return s
}

type total struct {
	Units   int   `json:"units"`
	Boxes   int   `json:"boxes"`
	Shelves []int `json:"shelves"`
}

func (s *stock) count(sku int) total {
	t := total{Shelves: []int{}}
	for i, sh := range s.shelves {
		u, b := sh.units(sku)
		if b > 0 {
			t.Shelves = append(t.Shelves, i)
		}
		t.Units += u
		t.Boxes += b
	}
	return t
}

func (s *stock) move(from, to int) bool {
	if min(from, to) < 0 || max(from, to) >= len(s.shelves) {
		return false
	}
	b, ok := s.shelves[from].take()
	if ok {
		dst := s.shelves[to]
		dst.mu.Lock()
		dst.boxes = append(dst.boxes, b)
		dst.mu.Unlock()
	}
	return ok
}
