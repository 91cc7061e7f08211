package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// firstRejection carries the test out look by look, as a conductor does.
func firstRejection(d, noise []float64, looks []Look) int {
	for k, look := range looks {
		var n []float64
		if noise != nil {
			n = noise[:look.N]
		}
		// SequentialSignFlip without its interval, which takes fifty times as long.
		if _, _, rejected := newSequential(d[:look.N], n, looks[:k+1]).at(0); rejected {
			return k
		}
	}
	return -1
}

func TestSequentialAgainstEnumeration(t *testing.T) {
	stopped := map[bool]int{}
	for i, c := range readCases[struct {
		How   string
		D     []float64
		Looks []Look
		At    int `json:"rejected_at"`
		P     float64
	}](t, "sequential") {
		r, err := SequentialSignFlip(c.D, nil, c.Looks)
		if err != nil {
			t.Fatal(err)
		}
		if !near(r.P, c.P) {
			t.Errorf("case %d: p %v, SciPy's %s has %v", i, r.P, c.How, c.P)
		}
		if at := firstRejection(c.D, nil, c.Looks); at != c.At {
			t.Errorf("case %d: first rejected at look %d, want %d: %+v", i, at, c.At, c)
		}
		stopped[c.At >= 0 && c.At < len(c.Looks)-1]++
	}
	if stopped[true] < 4 || stopped[false] < 5 {
		t.Errorf("early rejections and others: %v, want at least 4 and 5", stopped)
	}
}

func TestPowerSpending(t *testing.T) {
	for _, c := range []struct{ t, want float64 }{{0, 0}, {0.2, 0.002}, {0.5, 0.0125}, {0.8, 0.032}, {1, 0.05},
		{1.2, 0.05}, {-1, 0}} {
		if got := PowerSpending(0.05, c.t); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("at %v: %v, want %v", c.t, got, c.want)
		}
	}
}

// plan is looks at every value from 6 on, as if the budget had room for most.
func plan(most int) []Look {
	var looks []Look
	for n := 6; n <= most; n++ {
		looks = append(looks, Look{N: n, Spent: PowerSpending(0.05, float64(n)/float64(most))})
	}
	return looks
}

// Over all its looks the test raises at most its share of false alarms, and the last
// interval covers the truth as often as it says, whatever the values' distribution.
func TestSequentialLevelAndCoverage(t *testing.T) {
	for _, most := range []int{7, 11, 18} {
		for k, noise := range noises[2:] { // the lognormal and the disturbed
			rng := rand.New(rand.NewPCG(uint64(most), uint64(100+k)))
			const rounds, intervals = 300, 30 // an interval takes fifty tests
			alarms, covered := 0, 0
			looks := plan(most)
			for i := range rounds {
				d := make([]float64, most)
				for i := range d {
					d[i] = noise.draw(rng)
				}
				if firstRejection(d, nil, looks) >= 0 {
					alarms++
				}
				if i >= intervals {
					continue
				}
				r, err := SequentialSignFlip(d, nil, looks)
				if err != nil {
					t.Fatal(err)
				}
				if r.Low <= 0 && 0 <= r.High {
					covered++
				}
			}
			a, c := float64(alarms)/rounds, float64(covered)/intervals
			slack := func(n float64) float64 { return 3 * math.Sqrt(0.05*0.95/n) }
			t.Logf("%-16s %2d values: alarms %.3f, covered %.3f", noise.name, most, a, c)
			if a > 0.05+slack(rounds) {
				t.Errorf("%s, %d values: %.3f false alarms over all looks", noise.name, most, a)
			}
			if c < 0.95-slack(intervals) {
				t.Errorf("%s, %d values: the interval covers the truth in %.3f", noise.name, most, c)
			}
		}
	}
}

// A difference of 4 standard errors is found nearly always, and early where it is large.
func TestSequentialPower(t *testing.T) {
	for _, c := range []struct {
		shift  float64
		power  float64
		median int // of the look that shows it
	}{{1, 0.9, 16}, {3, 1, 9}} {
		rng := rand.New(rand.NewPCG(3, 9))
		const rounds, most = 100, 20
		looks, found, at := plan(most), 0, []float64{}
		for range rounds {
			d := make([]float64, most)
			for i := range d {
				d[i] = c.shift + rng.NormFloat64()
			}
			if k := firstRejection(d, nil, looks); k >= 0 {
				found++
				at = append(at, float64(looks[k].N))
			}
		}
		middle, err := Median(at)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("shift %v: found %d, median at %v", c.shift, found, middle)
		if float64(found) < c.power*rounds || middle > float64(c.median) {
			t.Errorf("shift %v: found in %d of %d, median at %v values", c.shift, found, rounds, middle)
		}
	}
}

// What an early look has rejected stays out of the interval of the next: with eight zeros
// every other shift is out, although the level is spent to the last pattern by then.
func TestSequentialRejectionsLast(t *testing.T) {
	for _, looks := range [][]Look{plan(8), {{N: 6, Spent: 0.031}, {N: 7, Spent: 0.04}, {N: 8, Spent: 0.05}}} {
		r, err := SequentialSignFlip(make([]float64, 8), nil, looks)
		if err != nil || r.Low != 0 || r.High != 0 {
			t.Errorf("%v: %+v, %v", looks, r, err)
		}
	}
}

// Values with less noise count for more; without a word about noise all count alike.
func TestSequentialWeights(t *testing.T) {
	d, noise := []float64{1, 1.1, 0.9, 1, 1, 1, 9}, []float64{1, 1, 1, 1, 1, 1, 1000}
	looks := []Look{{N: 7, Spent: 0.05}}
	plain, err := SequentialSignFlip(d, nil, looks)
	if err != nil {
		t.Fatal(err)
	}
	weighted, err := SequentialSignFlip(d, noise, looks)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(plain.Value-15.0/7) > 1e-12 || weighted.Value > 1.2 {
		t.Errorf("estimates %v and %v", plain.Value, weighted.Value)
	}
	if weighted.High >= plain.High {
		t.Errorf("the noisy value widens the weighted interval as much: %+v, %+v", weighted, plain)
	}
}

func TestSequentialEdges(t *testing.T) {
	at := func(d ...float64) SequentialResult {
		r, err := SequentialSignFlip(d, nil, []Look{{N: len(d), Spent: 0.05}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := at(1); r.Rejected || r.P != 1 || !math.IsInf(r.Low, -1) || !math.IsInf(r.High, 1) || r.Value != 1 {
		t.Errorf("one value: %+v", r)
	}
	if r := at(1, 2, 3, 4, 5); r.Rejected || r.Level != 0 || !math.IsInf(r.Low, -1) {
		t.Errorf("five values: %+v", r)
	}
	if r := at(1, 2, 3, 4, 5, 6); !r.Rejected || r.P != 0.03125 || r.Level != 0.03125 || r.Low < 0.99 || r.High > 6.01 {
		t.Errorf("six values: %+v", r)
	}
	if r := at(0, 0, 0, 0, 0, 0, 0, 0); r.Rejected || r.P != 1 || r.Value != 0 || r.Low != 0 || r.High != 0 {
		t.Errorf("nothing but 0: %+v", r)
	}
	if r := at(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2); !r.Rejected || r.Low != 2 || r.High != 2 {
		t.Errorf("all alike: %+v", r)
	}
}

func TestSequentialBadInput(t *testing.T) {
	for _, c := range []struct {
		d, noise []float64
		looks    []Look
		want     string
	}{
		{nil, nil, []Look{{0, 0.05}}, "empty"},
		{[]float64{1, math.NaN()}, nil, []Look{{2, 0.05}}, "d[1] is NaN"},
		{[]float64{1, 2}, []float64{1}, []Look{{2, 0.05}}, "2 values with the noise of 1"},
		{[]float64{1, 2}, []float64{1, -1}, []Look{{2, 0.05}}, "noise[1] is -1"},
		{[]float64{1, 2}, nil, nil, "last look"},
		{[]float64{1, 2}, nil, []Look{{1, 0.05}}, "all 2 values"},
		{[]float64{1, 2}, nil, []Look{{1, 0.05}, {2, 0.04}}, "no less spent"},
		{[]float64{1, 2}, nil, []Look{{2, 0.01}, {2, 0.04}}, "more values"},
	} {
		if _, err := SequentialSignFlip(c.d, c.noise, c.looks); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want one that says %q", c.looks, err, c.want)
		}
	}
}

// Mirrored values give the mirrored answer, and a value that joins changes no earlier look.
func TestSequentialMirrorAndPast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(6, 12).Draw(t, "n")
		d, mirrored := make([]float64, n), make([]float64, n)
		for i := range d {
			d[i] = rapid.Float64Range(-1, 2).Draw(t, "d")
			mirrored[i] = -d[i]
		}
		looks := plan(n)
		a, err := SequentialSignFlip(d, nil, looks)
		if err != nil {
			t.Fatal(err)
		}
		b, err := SequentialSignFlip(mirrored, nil, looks)
		if err != nil {
			t.Fatal(err)
		}
		if a.P != b.P || a.Level != b.Level || a.Rejected != b.Rejected || math.Abs(a.Value+b.Value) > 1e-12 ||
			math.Abs(a.Low+b.High) > 1e-4 {
			t.Fatalf("%+v mirrored %+v", a, b)
		}
		if a.Low > a.Value || a.Value > a.High {
			t.Fatalf("estimate outside of its interval: %+v", a)
		}
		if a.Rejected && a.Low < 0 && a.High > 0 {
			t.Fatalf("rejected, and 0 in the middle of the interval: %+v", a)
		}
	})
}

func BenchmarkSequentialSignFlip(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	d := make([]float64, 40)
	for i := range d {
		d[i] = rng.NormFloat64()
	}
	for b.Loop() {
		if _, err := SequentialSignFlip(d, nil, plan(40)); err != nil {
			b.Fatal(err)
		}
	}
}
