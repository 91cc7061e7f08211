package tours

import (
	"fmt"
	"math"
	"slices"
)

// Stop is one halt of a tour.
type Stop struct {
	Street  string   `json:"street"`
	Parcels []string `json:"parcels"`
	Grams   int      `json:"grams"`
	x, y    float64
}

// Tour is the stops in the order of driving.
type Tour struct {
	Stops []*Stop `json:"stops"`
	Way   float64 `json:"way"`
}

func (d *Depot) address(id string) (*Address, bool) {
	for i := range d.addresses {
		a := &d.addresses[i]
		if a.ID == id {
			return a, true
		}
	}
	return nil, false
}

// Tour plans the n-th tour: always to the nearest stop that is left.
func (d *Depot) Tour(n int) (*Tour, error) {
	if n < 0 || n >= len(d.parcels) {
		return nil, fmt.Errorf("no tour %d", n)
	}
	stops := map[string]*Stop{}
	var left []*Stop
	for _, p := range d.parcels[n] {
		addr, ok := d.address(p.Address)
		if !ok {
			return nil, fmt.Errorf("parcel %s: no address %s", p.Code, p.Address)
		}
		s := stops[addr.ID]
		if s == nil {
			s = &Stop{Street: addr.Street, x: addr.X, y: addr.Y}
			stops[addr.ID] = s
			left = append(left, s)
		}
		s.Parcels = append(s.Parcels, p.Code)
		s.Grams += p.Grams
	}
	t := &Tour{}
	x, y := 0.0, 0.0
	for len(left) > 0 {
		best, way := 0, math.Inf(1)
		for i, s := range left {
			if w := math.Abs(s.x-x) + math.Abs(s.y-y); w < way {
				best, way = i, w
			}
		}
		s := left[best]
		t.Way += way
		x, y = s.x, s.y
		t.Stops = append(t.Stops, s)
		left = slices.Delete(left, best, best+1)
	}
	return t, nil
}
