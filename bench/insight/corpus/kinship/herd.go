package main

import "fmt"

const perGeneration = 10

type animal struct {
	name     string
	sire     int
	dam      int
	founders bool
}

// herd is a pedigree: the parents of each animal come before it.
type herd struct{ animals []animal }

func newHerd(generations int) *herd {
	h := &herd{}
	for g := range generations {
		for i := range perGeneration {
			a := animal{name: fmt.Sprintf("%c%d-%d", "BK"[i%2], g, i), founders: g == 0}
			if g > 0 {
				a.sire = (g-1)*perGeneration + (i*3+g)%perGeneration
				a.dam = (g-1)*perGeneration + (i*7+2*g+1)%perGeneration
			}
			h.animals = append(h.animals, a)
		}
	}
	return h
}

func (h *herd) has(n int) bool { return n >= 0 && n < len(h.animals) }

// coefficient is the chance that a gene of a and one of b come from the same ancestor.
func (h *herd) coefficient(a, b int) float64 {
	if a < b {
		a, b = b, a
	}
	young := h.animals[a]
	switch {
	case a == b && young.founders:
		return 0.5
	case young.founders:
		return 0
	case a == b:
		return 0.5 + 0.5*h.coefficient(young.sire, young.dam)
	}
	return 0.5 * (h.coefficient(young.sire, b) + h.coefficient(young.dam, b))
}
