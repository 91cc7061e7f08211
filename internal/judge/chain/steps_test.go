package chain

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gohone/hone/stats"
)

var least = math.Log(1.01)

// In 60 places that do not differ no step is found, but in 1 of 50 such chains at the most.
func TestNoStepIsFoundInNoise(t *testing.T) {
	const chains = 300
	for _, starts := range []int{5, 6, 13, 40} {
		r := rand.New(rand.NewPCG(59, uint64(starts)))
		e := errorsAt(t, 0.95)
		with := 0
		for range chains {
			c, line, _, _ := simulated(r, e, 60, nil, 0.005, starts, theFirst)
			if len(c.Steps(line, least)) > 0 {
				with++
			}
		}
		t.Logf("%d starts: %d of %d chains have a step", starts, with, chains)
		if with > chains/50 {
			t.Errorf("%d starts: %d of %d chains of 60 equal places have a step", starts, with, chains)
		}
	}
}

// Detection of change points takes the random walk of a chain's errors for steps: this is why Steps is another way.
func TestChangePointsAreNotForChains(t *testing.T) {
	const chains = 40
	r := rand.New(rand.NewPCG(59, 59))
	e := errorsAt(t, 0.95)
	with := 0
	for range chains {
		c, line, _, _ := simulated(r, e, 60, nil, 0.005, 13, theFirst)
		values := make([]float64, len(line))
		for i, s := range line {
			values[i] = c.Value(s.Place).Log
		}
		points, err := stats.ChangePoints(values, stats.ChangeOptions{Alpha: 0.01, Permutations: 199}, r)
		if err != nil {
			t.Fatal(err)
		}
		if len(points) > 0 {
			with++
		}
	}
	t.Logf("%d of %d chains", with, chains)
	if with < chains/2 {
		t.Errorf("change points are found in %d of %d chains of equal places only: use them", with, chains)
	}
}

// Steps of 2, 5 and 10 % are found at their places, and nothing else is.
func TestPlantedStepsAreFound(t *testing.T) {
	const chains = 100
	planted := map[int]float64{12: math.Log(1.02), 25: math.Log(1.05), 41: -math.Log(1.10), 52: math.Log(1.10)}
	for _, starts := range []int{6, 13} {
		r := rand.New(rand.NewPCG(59, uint64(starts)))
		e := errorsAt(t, 0.95)
		found, others := map[int]int{}, 0
		for range chains {
			c, line, _, _ := simulated(r, e, 60, planted, 0.004, starts, theFirst)
			for _, s := range c.Steps(line, least) {
				if size := planted[s.To]; size != 0 && s.From == s.To-1 && size*s.Log > 0 {
					found[s.To]++
				} else {
					others++
				}
			}
		}
		t.Logf("%d starts: %v, %d others", starts, found, others)
		if found[12] < 80 || found[25] < 97 || found[41] < 99 || found[52] < 99 || others > 12 {
			t.Errorf("%d starts: found %v of %d, and %d others", starts, found, chains, others)
		}
	}
}

// A drift that no link shows is found by its sum and by the anchor.
func TestADriftIsFound(t *testing.T) {
	const chains = 100
	drift := map[int]float64{}
	for i := 20; i < 30; i++ {
		drift[i] = 0.004
	}
	r := rand.New(rand.NewPCG(59, 3))
	e := errorsAt(t, 0.95)
	found := 0
	for range chains {
		c, line, _, _ := simulated(r, e, 60, drift, 0.003, 13, theFirst)
		steps := c.Steps(line, least)
		for _, s := range steps {
			if s.Log < 0 || s.From >= 29 || s.To <= 19 {
				t.Errorf("another step, from %d to %d: %v", s.From, s.To, s.Link)
			}
		}
		if len(steps) > 0 {
			found++
		}
	}
	if found < 98 {
		t.Errorf("a drift of 4 %% over ten places is found in %d of %d chains", found, chains)
	}
}

// Counts have no errors: each step is where it is, and small ones add up.
func TestStepsOfCounts(t *testing.T) {
	c := New(errorsAt(t, 0.95))
	line := []Stop{{Place: c.Begin()}}
	for i, l := range []float64{0, 0.1, 0, 0.006, 0.006, 0, -0.1, 1e-9} {
		at, _ := c.Add([]Observation{{i, Link{Log: l}}})
		line = append(line, Stop{Place: at, Measured: true})
	}
	var got [][2]int
	for _, s := range c.Steps(line, least) {
		got = append(got, [2]int{s.From, s.To})
	}
	want := [][2]int{{1, 2}, {3, 5}, {6, 7}}
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("steps %v, want %v", got, want)
	}
}

// What was found stays when further places come.
func TestStepsStay(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 4))
	e := errorsAt(t, 0.95)
	c, line, _, _ := simulated(r, e, 60, map[int]float64{9: 0.05, 33: 0.03, 50: -0.05}, 0.005, 8, theFirst)
	whole := c.Steps(line, least)
	for n := range line {
		steps := c.Steps(line[:n], least)
		for i, s := range steps {
			if s != whole[i] {
				t.Errorf("with %d places step %d is %+v, later %+v", n, i, s, whole[i])
			}
		}
	}
}

func BenchmarkSteps(b *testing.B) {
	r := rand.New(rand.NewPCG(59, 5))
	c, line, _, _ := simulated(r, errorsAt(b, 0.95), 730, nil, 0.005, 8, theFirst)
	for b.Loop() {
		c.Steps(line, least)
	}
}
