package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// simulated is a search by observations with normal errors.
type simulated struct {
	h      *History
	levels []float64
	err    float64
	rng    *rand.Rand
	probes int
}

func simulate(n int, steps map[int]float64, err float64, rng *rand.Rand) *simulated {
	s := &simulated{h: New(n), levels: make([]float64, n+1), err: err, rng: rng}
	for at := 1; at <= n; at++ {
		s.levels[at] = s.levels[at-1] + steps[at]
	}
	return s
}

func (s *simulated) observe(t *testing.T, place int, err float64) float64 {
	t.Helper()
	o := Observation{Place: place, Log: s.levels[place] + err*s.rng.NormFloat64(), Err: err}
	if err := s.h.Observe(o); err != nil {
		t.Fatal(err)
	}
	return o.Log
}

// find searches for the main step, and returns the places that hold it.
func (s *simulated) find(t *testing.T) (from, to int) {
	t.Helper()
	n := s.h.Last()
	difference := s.observe(t, n, s.err/2)
	for ; s.probes < 60; s.probes++ {
		c := s.h.Curve()
		if i, ok := c.Found(difference); ok {
			return c.Gaps[i].From, c.Gaps[i].To
		}
		place, ok := s.h.Next(c, s.err, func(int) float64 { return 1 })
		if !ok {
			break
		}
		s.observe(t, place, s.err)
	}
	return 0, n
}

// A single step is found at its place, in few observations more than halving takes: 1,000 places are halved ten times.
func TestFindsOneStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	right, probes := 0, []int{}
	const n = 60
	for range n {
		size := 0.02 + 0.18*rng.Float64()
		at := 1 + rng.IntN(1000)
		s := simulate(1000, map[int]float64{at: size}, size/5, rng)
		if from, to := s.find(t); from == at-1 && to == at {
			right++
		}
		probes = append(probes, s.probes)
	}
	slices.Sort(probes)
	t.Logf("%d of %d right, probes: median %d, most %d", right, n, probes[n/2], probes[n-1])
	if right < n*95/100 || probes[n/2] > 14 {
		t.Errorf("%d of %d right with %v observations", right, n, probes)
	}
}

// Of two steps the larger one is found, whatever the smaller does: also one that takes back a part.
func TestFindsTheMainStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	right, probes := 0, []int{}
	const n = 60
	for range n {
		size := 0.05 + 0.15*rng.Float64()
		other := size * (rng.Float64() - 0.5)
		at, second := 1+rng.IntN(1000), 1+rng.IntN(1000)
		s := simulate(1000, map[int]float64{at: size, second: other}, size/6, rng)
		if from, to := s.find(t); from == at-1 && to == at {
			right++
		}
		probes = append(probes, s.probes)
	}
	slices.Sort(probes)
	t.Logf("%d of %d right, probes: median %d, most %d", right, n, probes[n/2], probes[n-1])
	if right < n*90/100 || probes[n/2] > 16 {
		t.Errorf("%d of %d right with %v observations", right, n, probes)
	}
}

// Places that cannot be observed stay in the answer, and only they.
func TestClosedPlacesStayInTheAnswer(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	s := simulate(100, map[int]float64{42: 0.1}, 0.01, rng)
	for at := 40; at < 45; at++ {
		s.h.Closed[at] = true
	}
	if from, to := s.find(t); from != 39 || to != 45 {
		t.Errorf("after %d, at %d at the latest", from, to)
	}
}

// A pair of places with the same code needs no observation between them.
func TestEqualPlacesHaveNoStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	s := simulate(100, map[int]float64{70: 0.1}, 0.01, rng)
	s.h.Equal = [][2]int{{0, 60}, {75, 100}}
	if from, to := s.find(t); from != 69 || to != 70 {
		t.Errorf("after %d, at %d at the latest", from, to)
	}
	if s.probes > 5 {
		t.Errorf("%d observations for 15 places", s.probes)
	}
	for _, g := range s.h.Curve().Gaps {
		if g.To <= 60 && (g.Step > 0 || g.Open) {
			t.Errorf("a step within what is equal: %+v", g)
		}
	}
}

// Two places that were shown not to differ have no step between them, whatever their own observations say.
func TestPlacesThatDoNotDiffer(t *testing.T) {
	h := New(3)
	for _, o := range []Observation{{3, 0.1, 0.01}, {1, 0.02, 0.02}, {2, 0.08, 0.02}} {
		if err := h.Observe(o); err != nil {
			t.Fatal(err)
		}
	}
	before := h.Curve()
	if i := before.Main(0.1); before.Gaps[i].To != 2 {
		t.Fatalf("the main step is in %+v", before.Gaps[i])
	}
	h.Equal = [][2]int{{1, 2}}
	after := h.Curve()
	if after.Gaps[1].Step != 0 || after.Level[1] != after.Level[2] {
		t.Errorf("a step of %.3f before and %.3f after, levels %v", before.Gaps[1].Change(), after.Gaps[1].Change(),
			after.Level)
	}
}

// The probabilities are right: of the places that are given a probability of a step, that many have one.
func TestProbabilitiesAreCalibrated(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	var said, were [4]float64
	for range 1000 {
		s := simulate(40, nil, 0.03, rng)
		for at := 1; at <= 40; at++ { // as the model has it: a level of its own after each step
			s.levels[at] = s.levels[at-1]
			if rng.Float64() < 1-math.Exp(-stepsExpected/40) {
				s.levels[at] = 0.1 * rng.NormFloat64()
			}
		}
		s.observe(t, 40, 0.03)
		for range 6 {
			s.observe(t, 1+rng.IntN(40), 0.03)
		}
		c := s.h.Curve()
		for _, g := range c.Gaps {
			is := 0.0
			if s.levels[g.To] != s.levels[g.From] {
				is = 1
			}
			k := min(3, int(4*g.Step))
			said[k] += g.Step
			were[k] += is
		}
	}
	for k := range said {
		t.Logf("gaps of %d to %d %%: %.0f steps were expected, %.0f were there", 25*k, 25*k+25, said[k], were[k])
		if said[k] > 20 && math.Abs(were[k]/said[k]-1) > 0.35 {
			t.Errorf("gaps of %d to %d %%: %.0f steps were expected, %.0f were there", 25*k, 25*k+25, said[k], were[k])
		}
	}
}

func TestObservationsAreChecked(t *testing.T) {
	h := New(3)
	for _, o := range []Observation{{4, 0, 0.1}, {0, 0, 0.1}, {-1, 0, 0.1}, {1, math.NaN(), 0.1}, {1, 0, -1},
		{1, 0, math.Inf(1)}} {
		if h.Observe(o) == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}
