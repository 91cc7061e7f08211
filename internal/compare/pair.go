package compare

import (
	"errors"
	"fmt"
	"math"
)

// Sample is what one slice showed, by Measure.Key, in the measure's unit. A measure
// that was not observed is absent or NaN.
type Sample map[string]float64

// Pair is one slice of each variant, taken one right after the other.
type Pair struct {
	// Block numbers the start: pairs with the same Block were taken in the same pair
	// of processes.
	Block int
	// AFirst says that A's slice was the first of the two.
	AFirst bool
	A, B   Sample
}

// ErrNotObserved is returned where no pair shows the measure on both sides. A caller
// leaves the measure out.
var ErrNotObserved = errors.New("the measure was not observed")

// observed are the values of one measure in the pairs that show it on both sides.
type observed struct {
	a, b    []float64 // as observed
	missing int       // pairs without it
	starts  int       // blocks that the pairs come from
}

func observe(m Measure, pairs []Pair) (observed, error) {
	var s observed
	blocks := map[int]bool{}
	for i, p := range pairs {
		a, okA, errA := m.value(p.A)
		b, okB, errB := m.value(p.B)
		if err := errors.Join(in("A", errA), in("B", errB)); err != nil {
			return observed{}, fmt.Errorf("pair %d of start %d: %w", i, p.Block, err)
		}
		if !okA || !okB {
			s.missing++
			continue
		}
		s.a, s.b = append(s.a, a), append(s.b, b)
		blocks[p.Block] = true
	}
	s.starts = len(blocks)
	if s.starts == 0 {
		return observed{}, ErrNotObserved
	}
	return s, nil
}

func in(variant string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", variant, err)
	}
	return nil
}

// value returns the measure in s; ok is false where it was not observed.
func (m Measure) value(s Sample) (v float64, ok bool, err error) {
	v, ok = s[m.Key]
	switch {
	case !ok || math.IsNaN(v):
		return 0, false, nil
	case math.IsInf(v, 0) || v < 0:
		return 0, false, fmt.Errorf("%s is %v %s, want a finite number, not negative", m.Name, v, m.Unit)
	case v == 0 && m.Floor == 0:
		return 0, false, fmt.Errorf("%s is 0 %s, want a number over 0 (leave out what was not observed)", m.Name, m.Unit)
	}
	return v, true, nil
}

// floored raises every value to the measure's floor.
func (m Measure) floored(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = max(v, m.Floor)
	}
	return out
}
