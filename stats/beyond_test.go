package stats

import (
	"math"
	"testing"
)

// Of two blocks of two slices: the share of a slice counts once, however long its requests took.
func TestBeyondCountsSlices(t *testing.T) {
	calm, slow := Distribution{{1, 9}, {4, 1}}, Distribution{{1, 5}, {4, 5}}
	still := Distribution{{900, 1}}
	a := [][]Distribution{{calm, calm}, {calm, still}}
	b := [][]Distribution{{slow, slow}, {slow, calm}}
	r, err := Beyond(a, b, 0.6)
	if err != nil || r.Threshold != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	wantA, wantB := (0.1+0.1+0.1+1)/4, (0.5+0.5+0.5+0.1)/4
	if math.Abs(r.A-wantA) > 1e-12 || math.Abs(r.B-wantB) > 1e-12 || r.Values[0] != 1 || r.Values[1] != 0 {
		t.Errorf("%+v, want %v and %v, 1 and 0", r, wantA, wantB)
	}
	if o, err := Beyond(b, a, 0.6); err != nil || o.Threshold != 1 || o.Values[0] != -1 || o.Values[1] != 0 {
		t.Errorf("the other way round: %+v, %v", o, err)
	}
}

func TestBeyondNamesWhatIsMissing(t *testing.T) {
	one := [][]Distribution{{{{1, 1}}}}
	for _, c := range []struct {
		a, b [][]Distribution
		q    float64
	}{{one, nil, 0.5}, {one, [][]Distribution{{}}, 0.5}, {one, one, 1},
		{[][]Distribution{{{}}}, [][]Distribution{{{}}}, 0.5}} {
		if r, err := Beyond(c.a, c.b, c.q); err == nil {
			t.Errorf("%+v: %+v", c, r)
		}
	}
	if r, err := Beyond(one, one, 0.5); err != nil || r.Values[0] != 0 || r.A != 0 {
		t.Errorf("nothing is beyond: %+v, %v", r, err)
	}
}
