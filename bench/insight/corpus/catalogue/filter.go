package main

import (
	"math"
	"net/http"
	"strconv"
)

// filter is the conditions of a request; an empty one holds for each article.
type filter struct{ r *http.Request }

func (f filter) param(name string) string {
	return f.r.URL.Query().Get(name)
}

func (f filter) number(name string, otherwise int) int {
	if n, err := strconv.Atoi(f.param(name)); err == nil {
		return n
	}
	return otherwise
}

func (f filter) apply(all []article) []article {
	low, high := f.number("min", 0), f.number("max", math.MaxInt)
	found := []article{}
	for _, a := range all {
		if a.Cents < low || a.Cents > high || !f.matches(a) {
			continue
		}
		found = append(found, a)
	}
	return found
}

func (f filter) matches(a article) bool {
	if c := f.param("color"); c != "" && c != a.Color {
		return false
	}
	if b := f.param("brand"); b != "" && b != a.Brand {
		return false
	}
	return true
}
