package history

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Only the newest values are searched; points are in terms of all of them, in the values' unit. What is below the floor
// does not change.
func TestChangePointsOfTheNewestValues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, ChangeWindow+60)
	for i := range values {
		level := 2.0
		switch {
		case i < 30:
			level = 9
		case i >= ChangeWindow:
			level = 3
		}
		values[i] = level * (1 + 0.01*r.NormFloat64())
	}
	points, err := ChangePoints(values, 0, 0.05, r)
	if err != nil || len(points) != 1 || points[0].Index != ChangeWindow || math.Abs(points[0].Before-2) > 0.02 ||
		math.Abs(points[0].After-3) > 0.03 {
		t.Errorf("from 2 to 3 at %d: %+v, %v", ChangeWindow, points, err)
	}
	if points, err := ChangePoints(values, 20, 0.05, r); err != nil || len(points) != 0 {
		t.Errorf("below the floor: %+v, %v", points, err)
	}
}
