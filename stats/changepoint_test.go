package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

type changeCase struct {
	Name  string
	X     []float64
	Mongo []int
	Best  []struct {
		Energy   float64
		Tau, Min int
	}
}

func changes(t *testing.T, x []float64, o ChangeOptions, seed uint64) []ChangePoint {
	t.Helper()
	points, err := ChangePoints(x, o, rand.New(rand.NewPCG(2014, seed)))
	if err != nil {
		t.Fatal(err)
	}
	return points
}

// The statistic is held against the published definition, written out.
func TestDivisionAgainstTheDefinition(t *testing.T) {
	for _, c := range readCases[changeCase](t, "changepoint") {
		for _, b := range c.Best {
			if tau, energy := bestDivision(c.X, b.Min); tau != b.Tau || !near(energy, b.Energy) {
				t.Errorf("%s, at least %d: division at %d with %v, by definition %d with %v", c.Name, b.Min, tau,
					energy, b.Tau, b.Energy)
			}
		}
	}
}

// Published series: the Nile falls after 1898, which is value 28 (Cobb 1978); coal mining
// disasters become rarer about 1890, value 39 (Jarrett 1979); the third is made, with steps
// at 30, 55 and 85. The places are those of MongoDB's implementation but for one value where
// noise hides them.
func TestChangePointsOfPublishedSeries(t *testing.T) {
	for _, c := range readCases[changeCase](t, "changepoint") {
		for _, values := range []bool{false, true} {
			points := changes(t, c.X, ChangeOptions{Values: values}, 1)
			ok := len(points) == len(c.Mongo)
			for i := 0; ok && i < len(points); i++ {
				ok = math.Abs(float64(points[i].Index-c.Mongo[i])) <= 1 && points[i].P <= 0.01
			}
			if !ok {
				t.Errorf("%s (values %v): %+v, MongoDB's finds %v", c.Name, values, points, c.Mongo)
			}
			if c.Name == "Nile" && (points[0].Index != 28 || points[0].P != 0.001 || points[0].Before != 1130 ||
				points[0].After != 842.5) {
				t.Errorf("Nile: %+v, want 28 at p = 1/1000 from 1130 to 842.5", points)
			}
		}
	}
}

// Heavy-tailed noise without a change: a false change in at most Alpha of the series, but
// for 4 standard deviations of a binomial count. 12 values have few arrangements.
func TestFlatSeriesHasNoChange(t *testing.T) {
	const series = 400
	for _, n := range []int{12, 60} {
		for _, o := range []ChangeOptions{{Permutations: 199}, {Alpha: 0.05, Permutations: 199},
			{Alpha: 0.05, Permutations: 199, Values: true}} {
			found := 0
			r := rand.New(rand.NewPCG(95, uint64(n)))
			for seed := range uint64(series) {
				x := make([]float64, n)
				for i := range x {
					x[i] = 100 + r.NormFloat64()/math.Sqrt(r.Float64())
				}
				if len(changes(t, x, o, seed)) > 0 {
					found++
				}
			}
			alpha := max(0.01, o.Alpha)
			t.Logf("%d values, %+v: a change in %d of %d", n, o, found, series)
			if float64(found) > series*alpha+4*math.Sqrt(series*alpha*(1-alpha)) {
				t.Errorf("%d values, %+v: a change in %d of %d series without one", n, o, found, series)
			}
		}
	}
}

// One value far off is not a change wherever it is, also if it is the newest; nor do values
// all equal change.
func TestOneOutlierIsNoChange(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 40))
	flat := make([]float64, 40)
	for i := range flat {
		flat[i] = 100 + r.NormFloat64()
	}
	for at := range flat {
		x := slices.Clone(flat)
		x[at] = 1000
		if points := changes(t, x, ChangeOptions{}, 3); len(points) > 0 {
			t.Errorf("outlier at %d of %d: %+v", at, len(x), points)
		}
	}
	if points := changes(t, make([]float64, 40), ChangeOptions{}, 1); len(points) > 0 {
		t.Errorf("equal values: %+v", points)
	}
	for n := range 6 {
		if points := changes(t, flat[:n], ChangeOptions{}, 1); len(points) > 0 {
			t.Errorf("%d values: %+v", n, points)
		}
	}
}

// Where only the spread changes, the medians of the two sides differ by chance, and must not say where.
func TestChangeOfTheSpreadIsWhereItIs(t *testing.T) {
	const series, half = 100, 60
	found, near := 0, 0
	r := rand.New(rand.NewPCG(1970, 5))
	for seed := range uint64(series) {
		x := make([]float64, 2*half)
		for i := range x {
			x[i] = 100 + r.NormFloat64()
			if i >= half {
				x[i] = 100 + 5*r.NormFloat64()
			}
		}
		if points := changes(t, x, ChangeOptions{Alpha: 0.05, Permutations: 199}, seed); len(points) == 1 {
			found++
			if math.Abs(float64(points[0].Index-half)) <= 5 {
				near++
			}
		}
	}
	t.Logf("found in %d of %d series, in %d of them at most 5 values away", found, series, near)
	if found < series/2 || 10*near < 8*found {
		t.Errorf("found in %d of %d series, in %d of them at most 5 values away, want 80 %% of those found", found,
			series, near)
	}
}

// What a history is for: a slow-down that is undone later, and one that is 5 commits old.
func TestChangesOfAHistory(t *testing.T) {
	r := rand.New(rand.NewPCG(2020, 1))
	step := func(n int, mean float64) (x []float64) {
		for range n {
			x = append(x, mean+0.01*r.NormFloat64())
		}
		return x
	}
	undone := slices.Concat(step(25, 1), step(12, 1.05), step(25, 1))
	points := changes(t, undone, ChangeOptions{}, 1)
	if len(points) != 2 || points[0].Index != 25 || points[1].Index != 37 || math.Abs(points[0].After-1.05) > 0.01 ||
		points[0].After != points[1].Before {
		t.Errorf("slower from 25 to 37: %+v", points)
	}
	before := slices.Clone(undone)
	recent := slices.Concat(step(40, 1), step(5, 1.05))
	if points := changes(t, recent, ChangeOptions{}, 1); len(points) != 1 || points[0].Index != 40 {
		t.Errorf("slower from 40 of 45: %+v", points)
	}
	back := slices.Clone(undone)
	slices.Reverse(back)
	if points := changes(t, back, ChangeOptions{}, 1); len(points) != 2 || points[0].Index != 25 ||
		points[1].Index != 37 || !slices.Equal(undone, before) {
		t.Errorf("backwards, slower from 25 to 37: %+v", points)
	}
}

func TestBadChangeOptionsAreNamed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	x := []float64{1, 2, 3}
	for _, c := range []struct {
		x    []float64
		o    ChangeOptions
		rng  *rand.Rand
		want string
	}{
		{x, ChangeOptions{}, nil, "generator"},
		{x, ChangeOptions{Alpha: 5}, r, "level 5"},
		{x, ChangeOptions{MinSize: 1}, r, "at least 2"},
		{x, ChangeOptions{Permutations: 10}, r, "10 permutations cannot reach the level 0.01"},
		{make([]float64, 5001), ChangeOptions{}, r, "more than 5000"},
		{[]float64{1, math.NaN()}, ChangeOptions{}, r, "x[1] is NaN"},
	} {
		if _, err := ChangePoints(c.x, c.o, c.rng); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one that says %q", err, c.want)
		}
	}
}

func BenchmarkChangePoints(b *testing.B) {
	for _, n := range []int{100, 1000} {
		x := make([]float64, n)
		r := rand.New(rand.NewPCG(1, 1))
		for i := range x {
			x[i] = r.NormFloat64() + 3*float64(2*i/n)
		}
		b.Run(map[int]string{100: "100", 1000: "1000"}[n], func(b *testing.B) {
			for b.Loop() {
				if _, err := ChangePoints(x, ChangeOptions{}, r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
