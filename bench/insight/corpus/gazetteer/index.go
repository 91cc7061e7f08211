package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"corpus/truth"
)

type place struct {
	Name string  `json:"name"`
	Lat  float64 `json:"lat"`
	Lon  float64 `json:"lon"`
	Kind string  `json:"kind"`
}

type index struct {
	mu     sync.RWMutex
	places []place
}

func newIndex(n int) *index {
	x := &index{places: make([]place, n)}
	for i := range x.places {
		x.places[i] = place{Name: fmt.Sprintf("%c%c%s", 'a'+i%26, 'a'+i/26%26, ending(i)), Lat: float64(i%180) - 90, Lon: float64(i%360) - 180, Kind: "village"}
	}
	x.sort()
	return x
}

func ending(i int) string {
	return []string{"burgh", "ford", "stead", "thorpe", "wick"}[i%5] + fmt.Sprint(i)
}

func (x *index) sort() {
	slices.SortFunc(x.places, func(a, b place) int { return strings.Compare(a.Name, b.Name) })
}

// find returns the first ten places that begin with prefix.
func (x *index) find(t *truth.Request, prefix string) []place {
	entered := t.Part("read lock")
	x.mu.RLock()
	entered()
	defer x.mu.RUnlock()
	at, _ := slices.BinarySearchFunc(x.places, prefix, func(p place, s string) int { return strings.Compare(p.Name, s) })
	list := []place{}
	for ; at < len(x.places) && len(list) < 10 && strings.HasPrefix(x.places[at].Name, prefix); at++ {
		list = append(list, x.places[at])
	}
	return list
}
