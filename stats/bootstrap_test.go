package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// service is a simulated latency: lognormal with two heavy tails, on the bins of a
// histogram with 7 bits.
type service struct {
	slices, requests    int
	luck, shared, alone float64 // standard deviations of log factors
}

func (s service) slice(r *rand.Rand, factor float64) Distribution {
	bins := map[float64]uint64{}
	for range s.requests {
		v := 100 * factor * math.Exp(0.25*r.NormFloat64())
		switch n := r.IntN(500); {
		case n == 0: // infinite variance
			v *= 3 / math.Sqrt(max(1e-4, r.Float64()))
		case n <= 10:
			v *= 1 + 3*r.ExpFloat64()
		}
		width := math.Exp2(math.Floor(math.Log2(v)) - 7)
		bins[(math.Floor(v/width)+0.5)*width]++
	}
	var d Distribution
	for v, n := range bins {
		d = append(d, Bin{v, n})
	}
	slices.SortFunc(d, func(x, y Bin) int { return int(math.Copysign(1, x.Value-y.Value)) })
	return d
}

// compare simulates blocks of both variants, b being slower by the log ratio truth.
func (s service) compare(r *rand.Rand, blocks int, truth float64) (a, b [][]Distribution) {
	noise := func(sd float64) float64 { return math.Exp(sd * r.NormFloat64()) }
	for range blocks {
		var x, y []Distribution
		luckA, luckB := noise(s.luck), noise(s.luck)*math.Exp(truth)
		for range s.slices {
			both := noise(s.shared)
			x = append(x, s.slice(r, luckA*both*noise(s.alone)))
			y = append(y, s.slice(r, luckB*both*noise(s.alone)))
		}
		a, b = append(a, x), append(b, y)
	}
	return a, b
}

// The shares are those in the comment of QuantileRatio.
func TestQuantileRatioCoverage(t *testing.T) {
	if underRaceDetector {
		t.Skip("a minute of arithmetic under the race detector, which has no goroutine to watch here")
	}
	const truth, level = 0.01, 0.05
	s := service{slices: 4, requests: 80, luck: 0.005, shared: 0.05, alone: 0.03}
	for _, size := range []struct{ blocks, sims int }{{3, 200}, {6, 400}, {10, 200}, {24, 100}} {
		blocks, step := size.blocks, 1/float64(size.sims)
		r := rand.New(rand.NewPCG(2015, uint64(blocks)))
		n := float64(blocks)
		k := math.Sqrt(n/(n-1)) * studentQuantile(level/2, blocks-1) / normalQuantile(level/2)
		quantiles := []float64{0.5, 0.99, 0.999}
		covered, plain := make([]float64, 3), make([]float64, 3)
		for range size.sims {
			a, b := s.compare(r, blocks, truth)
			for i, q := range quantiles {
				e, err := QuantileRatio(a, b, q, 1-level, 200, r)
				if err != nil {
					t.Fatal(err)
				}
				if e.Low <= truth && truth <= e.High {
					covered[i] += step
				}
				if off := k * (truth - e.Value); e.Low-e.Value <= off && off <= e.High-e.Value {
					plain[i] += step
				}
				if outside := e.Low > 0 || e.High < 0; outside != (e.P < level) && math.Abs(e.P-level) > 1e-5 {
					t.Fatalf("interval and p-value disagree: %+v", e)
				}
			}
		}
		t.Logf("%2d blocks, quantiles %v: covers %.3f, plain percentiles %.3f", blocks, quantiles, covered, plain)
		for i, share := range covered {
			// Of 3 blocks with 320 requests each hardly one is beyond the 99.9th percentile.
			if share < 0.93 && (blocks > 3 || i < 2) || share < 0.85 {
				t.Errorf("%d blocks, quantile %v: the 95 %% interval covers the truth in %.3f", blocks, quantiles[i],
					share)
			}
		}
	}
}

// Resampling only ever sees cumulative counts at places in a grid: the quantile has to be
// that of the list of all observations, each as often as its row is drawn.
func TestMergedQuantileIsThatOfTheList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := make([]Distribution, rapid.IntRange(1, 6).Draw(t, "rows"))
		weights := make([]float64, len(rows))
		var list []float64
		for i := range rows {
			weights[i] = float64(rapid.IntRange(0, 3).Draw(t, "weight"))
			values := rapid.SliceOfNDistinct(rapid.IntRange(1, 40), 0, 12, rapid.ID[int]).Draw(t, "values")
			slices.Sort(values)
			for _, v := range values {
				count := rapid.IntRange(0, 4).Draw(t, "count")
				rows[i] = append(rows[i], Bin{float64(v), uint64(count)})
				for range count * int(weights[i]) {
					list = append(list, float64(v))
				}
			}
		}
		percent := rapid.IntRange(1, 99).Draw(t, "percent")
		got, ok := newMerges(rows).quantile(weights, float64(percent)/100)
		if ok != (len(list) > 0) {
			t.Fatalf("%d observations: ok is %v", len(list), ok)
		}
		if !ok {
			return
		}
		slices.Sort(list)
		if want := list[(percent*len(list)+99)/100-1]; got != want {
			t.Fatalf("%d %% of %v is %v, want %v", percent, list, got, want)
		}
	})
}

func TestQuantileRatioMirrorsAndScales(t *testing.T) {
	s := service{slices: 3, requests: 60, luck: 0.01, shared: 0.05, alone: 0.03}
	a, b := s.compare(rand.New(rand.NewPCG(8, 1)), 7, 0.2)
	before := s.copy(a)
	run := func(a, b [][]Distribution) QuantileRatioResult {
		e, err := QuantileRatio(a, b, 0.9, 0.95, 500, rand.New(rand.NewPCG(8, 2)))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	there, back := run(a, b), run(b, a)
	close := func(x, y float64) bool { return math.Abs(x-y) < 1e-12 }
	if !close(there.Value, -back.Value) || !close(there.Low, -back.High) || !close(there.High, -back.Low) ||
		!close(there.P, back.P) {
		t.Errorf("there %+v and back %+v", there, back)
	}
	if there.Value < 0.1 || there.Low <= 0 || there.P > 0.05 || there.SlicesOnly || there.Blocks != 7 ||
		there.Slices != 21 {
		t.Errorf("a difference of 0.2 is %+v", there)
	}
	for _, side := range [][][]Distribution{a, b} {
		for _, block := range side {
			for _, d := range block {
				for i := range d {
					d[i].Value *= 1024
				}
			}
		}
	}
	if scaled := run(a, b); scaled.Estimate != there.Estimate || scaled.A != 1024*there.A {
		t.Errorf("in another unit %+v became %+v", there, scaled)
	}
	if same := run(before, before); same.Estimate != (Estimate{Conf: 0.95}) || same.P < 0.999 {
		t.Errorf("against itself: %+v", same)
	}
}

func (service) copy(side [][]Distribution) (out [][]Distribution) {
	for _, block := range side {
		var c []Distribution
		for _, d := range block {
			c = append(c, slices.Clone(d))
		}
		out = append(out, c)
	}
	return out
}

func TestOneBlockIsResampledBySlices(t *testing.T) {
	s := service{slices: 30, requests: 100, shared: 0.1, alone: 0.02}
	a, b := s.compare(rand.New(rand.NewPCG(9, 1)), 1, 0.1)
	e, err := QuantileRatio(a, b, 0.5, 0.95, 999, rand.New(rand.NewPCG(9, 2)))
	if err != nil || !e.SlicesOnly || e.Slices != 30 || e.Low <= 0 || e.Low > 0.1 || e.High < 0.1 {
		t.Errorf("one block with a difference of 0.1: %+v, %v", e, err)
	}
	if want := beyond(a, e.A); e.Beyond > want || e.Beyond < 1000 {
		t.Errorf("%d of 3,000 observations beyond the median, a has %d", e.Beyond, want)
	}
}

func TestBadDistributionsAreNamed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	d := Distribution{{1, 1}, {2, 1}}
	of := func(ds ...Distribution) [][]Distribution { // a block each
		var out [][]Distribution
		for _, d := range ds {
			out = append(out, []Distribution{d})
		}
		return out
	}
	good := of(d, d, d)
	for _, c := range []struct {
		a, b   [][]Distribution
		q      float64
		rounds int
		rng    *rand.Rand
		want   string
	}{
		{of(d, d), of(d, d), 0.5, 100, r, "2 blocks with 2 slices in all"},
		{[][]Distribution{{d, d}}, [][]Distribution{{d, d}}, 0.5, 100, r, "at least 3 blocks, or 3 slices"},
		{nil, nil, 0.5, 100, r, "0 blocks"},
		{good, of(d, d), 0.5, 100, r, "a has 3 blocks and b has 2"},
		{good, [][]Distribution{{d}, {d, d}, {d}}, 0.5, 100, r, "block 1 has 1 slices of a and 2 of b"},
		{good, of(d, Distribution{{0, 1}}, d), 0.5, 100, r, "b, block 1, slice 0: bin 0 has the value 0"},
		{of(d, d, Distribution{{2, 1}, {2, 1}}), good, 0.5, 100, r,
			"a, block 2, slice 0: bin 1 has the value 2 after 2"},
		{good, of(nil, nil, nil), 0.5, 100, r, "b: the sample is empty"},
		{good, good, 1, 100, r, "quantile 1"},
		{good, good, 0.5, 39, r, "at least 40 rounds"},
		{good, good, 0.5, 100, nil, "generator"},
	} {
		_, err := QuantileRatio(c.a, c.b, c.q, 0.95, c.rounds, c.rng)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one that says %q", err, c.want)
		}
	}
}

func BenchmarkQuantileRatio(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	x, y := service{slices: 40, requests: 1500, luck: 0.005, shared: 0.05, alone: 0.03}.compare(r, 25, 0.01)
	for b.Loop() {
		if _, err := QuantileRatio(x, y, 0.99, 0.95, 1000, r); err != nil {
			b.Fatal(err)
		}
	}
}
