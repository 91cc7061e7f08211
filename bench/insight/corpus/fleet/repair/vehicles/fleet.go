package vehicles

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
)

// Fleet is all vehicles.
type Fleet struct {
	mu  sync.RWMutex
	all []Vehicle
}

// New makes a fleet of n vehicles that have driven about.
func New(n int) *Fleet {
	f := &Fleet{all: make([]Vehicle, n)}
	for i := range f.all {
		v := &f.all[i]
		v.ID, v.Plate, v.Free = i, fmt.Sprintf("HH-%04d", i), i%3 != 0
		for k := range kept + i%kept {
			v.Add(Position{X: float64((i*97 + k*5) % 1000), Y: float64((i*31 + k*3) % 1000), At: int64(k)})
		}
	}
	return f
}

// Move adds a position of a vehicle.
func (f *Fleet) Move(id int, p Position) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if id < 0 || id >= len(f.all) {
		return false
	}
	f.all[id].Add(p)
	return true
}

// Hit is a vehicle that was found.
type Hit struct {
	ID     int     `json:"id"`
	Plate  string  `json:"plate"`
	Meters float64 `json:"meters"`
}

// Near returns the n nearest free vehicles, the nearest first.
func (f *Fleet) Near(p Position, n int) []Hit {
	f.mu.RLock()
	defer f.mu.RUnlock()
	hits := make([]Hit, 0, n+1)
	for i := range f.all {
		v := &f.all[i]
		if !v.Free {
			continue
		}
		d := v.Last().Distance(p)
		if len(hits) == n && d >= hits[n-1].Meters {
			continue
		}
		i, _ := slices.BinarySearchFunc(hits, d, func(h Hit, d float64) int { return cmp.Compare(h.Meters, d) })
		hits = slices.Insert(hits, i, Hit{v.ID, v.Plate, d})
		hits = hits[:min(len(hits), n)]
	}
	return hits
}
