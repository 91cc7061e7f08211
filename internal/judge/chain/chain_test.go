package chain

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohone/hone/stats"
)

func errorsAt(t testing.TB, confidence float64) *Errors {
	t.Helper()
	e, err := NewErrors(confidence)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// The interval of one link is what it was measured to be, and at a higher level no narrower than Student's t with five
// degrees of freedom has it.
func TestALinkKeepsItsInterval(t *testing.T) {
	for _, confidence := range []float64{0.9, 0.95, 0.98, 0.99} {
		e := errorsAt(t, confidence)
		l, err := e.Link(1.1, 1.1*math.Exp(-0.02), 1.1*math.Exp(0.02), confidence)
		got := e.Interval(l)
		if err != nil || !near(got.Ratio, 1.1) || !near(got.Low, 1.1*math.Exp(-0.02)) || !near(got.High, 1.1*math.Exp(0.02)) {
			t.Errorf("%v: %+v, %v", confidence, got, err)
		}
	}
	e := errorsAt(t, 0.99)
	l, _ := e.Link(1, math.Exp(-0.02), math.Exp(0.02), 0.9)
	want := 0.02 * stats.StudentWidth(0.01, 5) / stats.StudentWidth(0.1, 5)
	if got := math.Log(e.Interval(l).High); !near(got, want) {
		t.Errorf("from 90 to 99 %%: half %v, want %v", got, want)
	}
	e = errorsAt(t, 0.95)
	l, _ = e.Link(1, math.Exp(-0.01), math.Exp(0.02), 0.98)
	want = 0.02 * stats.NormalWidth(0.05) / stats.NormalWidth(0.02)
	if got := math.Log(e.Interval(l).High); !near(got, want) {
		t.Errorf("from 98 to 95 %%, the wider side: half %v, want %v", got, want)
	}
}

// What is no ratio with an interval is refused; a count has no error.
func TestLinksThatAreNone(t *testing.T) {
	e := errorsAt(t, 0.95)
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range [][4]float64{{0, 0, 0, 0.95}, {-1, -2, 1, 0.95}, {1, 1.1, 1.2, 0.95}, {1, 0.8, 0.9, 0.95}, {nan, 1, 1, 0.95},
		{1, nan, 1, 0.95}, {1, 0.9, nan, 0.95}, {inf, 1, inf, 0.95}, {1, 0, 2, 0.95}, {1, 0.9, 1.1, 0}, {1, 0.9, 1.1, 1},
		{1, 0.9, 1.1, nan}} {
		if l, err := e.Link(c[0], c[1], c[2], c[3]); err == nil {
			t.Errorf("%v is a link: %v", c, l)
		}
	}
	if l, err := e.Link(1.5, 1.5, 1.5, 0); err != nil || l.Variance != 0 || !near(l.Log, math.Log(1.5)) {
		t.Errorf("a count: %v, %v", l, err)
	}
	for _, confidence := range []float64{0, 1, nan} {
		if _, err := NewErrors(confidence); err == nil {
			t.Errorf("confidence %v", confidence)
		}
	}
}

// drawLink is any link; one in four has no error.
func drawLink(t *rapid.T) Link {
	l := Link{Log: rapid.Float64Range(-0.5, 0.5).Draw(t, "log")}
	if rapid.IntRange(0, 3).Draw(t, "exact") > 0 {
		l.Variance = rapid.Float64Range(1e-8, 0.01).Draw(t, "variance")
	}
	return l
}

// The value of a place is the product of its links, and its variance their sum; between two places it is those of the
// links between them.
func TestTheProductOfTheLinksIsTheChain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := New(errorsAt(&testing.T{}, 0.95))
		sums := []Link{{}}
		c.Begin()
		for range rapid.IntRange(1, 40).Draw(t, "links") {
			l, last := drawLink(t), sums[len(sums)-1]
			if _, clashes := c.Add([]Observation{{len(sums) - 1, l}}); clashes != nil {
				t.Fatalf("one estimate contradicts itself: %v", clashes)
			}
			sums = append(sums, Link{last.Log + l.Log, last.Variance + l.Variance})
		}
		i := rapid.IntRange(0, len(sums)-1).Draw(t, "from")
		j := rapid.IntRange(i, len(sums)-1).Draw(t, "to")
		between, df := c.Between(i, j)
		if v := c.Value(j); !near(v.Log, sums[j].Log) || !near(v.Variance, sums[j].Variance) ||
			!near(between.Log, sums[j].Log-sums[i].Log) || !near(between.Variance, sums[j].Variance-sums[i].Variance) ||
			df < fewestDF-1e-6 || df > fewestDF*float64(max(1, j-i))+1e-6 {
			t.Errorf("place %d: %v, want %v; from %d: %v, df %v", j, v, sums[j], i, between, df)
		}
	})
}

// An estimate by chain and anchors is never worse than by the chain alone, and its variance is that of its parts.
func TestAnAnchorNarrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		with, without := New(errorsAt(&testing.T{}, 0.95)), New(errorsAt(&testing.T{}, 0.95))
		with.Begin()
		without.Begin()
		n := rapid.IntRange(2, 30).Draw(t, "places")
		for i := 1; i < n; i++ {
			l := drawLink(t)
			if l.Variance == 0 {
				l.Variance = 1e-4
			}
			all := []Observation{{i - 1, l}}
			without.Add(all)
			if i > 1 && rapid.Bool().Draw(t, "anchor") {
				base := rapid.IntRange(0, i-2).Draw(t, "base")
				chain := with.Value(i-1).Log + l.Log - with.Value(base).Log // agrees, so that nothing contradicts
				all = append(all, Observation{base, Link{chain, rapid.Float64Range(1e-8, 0.01).Draw(t, "anchored")}})
			}
			_, clashes := with.Add(all)
			if clashes != nil {
				t.Fatalf("equal estimates contradict each other: %v", clashes)
			}
			a, b := with.Value(i).Variance, without.Value(i).Variance
			if a > b*(1+1e-9) || !near(with.Value(i).Log, without.Value(i).Log) {
				t.Errorf("place %d: %v with anchors, %v without", i, with.Value(i), without.Value(i))
			}
			if parts, _ := with.walk([]part{{i, 1}}); !near(parts, a) {
				t.Errorf("place %d: variance %v, and %v by its parts", i, a, parts)
			}
			if between, _ := with.Between(0, i); between.Variance > a*(1+1e-9) {
				t.Errorf("place %d: variance %v, and %v between", i, a, between.Variance)
			}
		}
	})
}

// A chain of four links of 1 % and an anchor of 1 %: the weights are 1 to 4, the variance 0.8.
func TestAnAnchorByHand(t *testing.T) {
	c := New(errorsAt(t, 0.95))
	c.Begin()
	l := Link{0.01, 1e-4}
	for i := range 3 {
		c.Add([]Observation{{i, l}})
	}
	at, clashes := c.Add([]Observation{{3, l}, {0, Link{0.03, 1e-4}}})
	if got := c.Value(at); clashes != nil || !near(got.Log, (0.04+4*0.03)/5) || !near(got.Variance, 0.8e-4) {
		t.Errorf("%v, %v", got, clashes)
	}
	// An anchor in the middle: what is before it is the error of both, and has no weight.
	c = New(errorsAt(t, 0.95))
	c.Begin()
	c.Add([]Observation{{0, Link{0.5, 1}}})
	c.Add([]Observation{{1, l}})
	at, _ = c.Add([]Observation{{2, l}, {1, Link{0.01, 2e-4}}})
	if got, _ := c.Between(1, at); !near(got.Log, 0.015) || !near(got.Variance, 1e-4) {
		t.Errorf("against the anchor: %v", got)
	}
	if got := c.Value(at); !near(got.Variance, 1+1e-4) {
		t.Errorf("against the beginning: %v", got)
	}
}

// Several measurements of the same two places count as one, by the inverses of their variances, in any order.
func TestPooledMeasurements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := make([]Link, rapid.IntRange(1, 6).Draw(t, "measurements"))
		observations := make([]Observation, len(all))
		sum, weights := 0.0, 0.0
		for i := range all {
			all[i] = Link{rapid.Float64Range(-1e-4, 1e-4).Draw(t, "log"), rapid.Float64Range(1e-6, 0.01).Draw(t, "variance")}
			observations[i] = Observation{0, all[i]}
			sum, weights = sum+all[i].Log/all[i].Variance, weights+1/all[i].Variance
		}
		c := New(errorsAt(&testing.T{}, 0.95))
		c.Begin()
		at, _ := c.Add(observations)
		for _, got := range []Link{Pool(all), c.Value(at)} {
			if !near(got.Log, sum/weights) || !near(got.Variance, 1/weights) {
				t.Errorf("%v, want %v, variance %v", got, sum/weights, 1/weights)
			}
		}
	})
	exact := Pool([]Link{{0.1, 1e-4}, {0.2, 0}, {0.3, 1e-4}})
	if exact != (Link{0.2, 0}) {
		t.Errorf("one has no error: %v", exact)
	}
}

// Estimates that exclude each other are named, and the interval gets wide enough to say that one of them is wrong.
func TestAContradictionIsSaid(t *testing.T) {
	c := New(errorsAt(t, 0.95))
	c.Begin()
	c.Add([]Observation{{0, Link{0, 1e-6}}})
	at, clashes := c.Add([]Observation{{1, Link{0.001, 1e-6}}, {0, Link{0.08, 1e-6}}})
	if len(clashes) != 1 || clashes[0].Base != 0 || !near(clashes[0].First.Log, 0.001) ||
		!near(clashes[0].First.Variance, 2e-6) || clashes[0].Second != (Link{0.08, 1e-6}) {
		t.Fatalf("%+v", clashes)
	}
	got := c.errors.Interval(c.Value(at))
	if low, high := math.Log(got.Low), math.Log(got.High); low > 0 || high < 0.08 {
		t.Errorf("%v ... %v does not reach both", low, high)
	}
	if parts, _ := c.walk([]part{{at, 1}}); !near(parts, c.Value(at).Variance) {
		t.Errorf("variance %v, and %v by its parts", c.Value(at).Variance, parts)
	}
	// Counts that are equal but for their last digit do not contradict each other, others do.
	for d, want := range map[float64]int{1e-9: 0, 0.01: 1} {
		if _, clashes := c.Add([]Observation{{0, Link{0.1, 0}}, {0, Link{0.1 + d, 0}}}); len(clashes) != want {
			t.Errorf("two counts that differ by %v: %v", d, clashes)
		}
	}
}

// measured is a link as a comparison of a few starts shows it: the mean of so many log ratios with its t interval.
func measured(r *rand.Rand, truth, sigma float64, starts int, confidence float64) (ratio, low, high float64) {
	x := make([]float64, starts)
	for i := range x {
		x[i] = truth + sigma*math.Sqrt(float64(starts))*r.NormFloat64()
	}
	mean := 0.0
	for _, v := range x {
		mean += v / float64(starts)
	}
	half := widths(1-confidence, starts-1) * stats.StdErr(x)
	return math.Exp(mean), math.Exp(mean - half), math.Exp(mean + half)
}

// widths are those of Student's t, each computed once.
var widths = func() func(alpha float64, df int) float64 {
	known := map[int]float64{}
	return func(alpha float64, df int) float64 {
		if known[df] == 0 {
			known[df] = stats.StudentWidth(alpha, df)
		}
		return known[df]
	}
}()

// Which anchor a place has, by its number; -1 for none.
func noAnchor(int) int { return -1 }

// theFirst is the anchor of each tenth place.
func theFirst(i int) int {
	if i%10 == 0 {
		return 0
	}
	return -1
}

// lastRelease is the anchor of each fifth place, and of each tenth the first: releases are 12 places apart.
func lastRelease(i int) int {
	switch {
	case i%10 == 0:
		return 0
	case i%5 == 0 && i > 12:
		return (i - 2) / 12 * 12
	}
	return -1
}

// simulated is a chain of n places that differ by the logarithms in steps, each a place's number, with anchors.
func simulated(r *rand.Rand, e *Errors, n int, steps map[int]float64, sigma float64, starts int, anchor func(int) int) (
	c *Chain, line []Stop, truth []float64, clashes int,
) {
	c = New(e)
	line, truth = []Stop{{Place: c.Begin()}}, []float64{0}
	show := func(d float64) Link {
		ratio, low, high := measured(r, d, sigma, starts, 0.95)
		l, err := e.Link(ratio, low, high, 0.95)
		if err != nil {
			panic(err)
		}
		return l
	}
	for i := 1; i < n; i++ {
		truth = append(truth, truth[i-1]+steps[i])
		l := show(steps[i])
		all := []Observation{{i - 1, l}}
		if base := anchor(i); base >= 0 {
			all = append(all, Observation{base, show(truth[i] - truth[base])})
		}
		at, said := c.Add(all)
		clashes += len(said)
		// Two stages: the difference is seen, and seen again by a measurement of its own.
		again := show(steps[i])
		both := again.Log*l.Log > 0 && e.excludes(l, 0.05) && e.excludes(again, 0.02)
		line = append(line, Stop{Place: at, Measured: true, Anchored: len(all) > 1, Shown: both, Base: i - 1})
	}
	return c, line, truth, clashes
}

func (e *Errors) excludes(l Link, alpha float64) bool {
	return math.Abs(l.Log) > e.width(alpha, fewestDF)*math.Sqrt(l.Variance)
}

// What an anchor finds is shared among the links before it; steps do not see that.
func TestWhatAnAnchorFindsIsShared(t *testing.T) {
	c := New(errorsAt(t, 0.95))
	c.Begin()
	l := Link{0, 1e-4}
	for i := range 3 {
		c.Add([]Observation{{i, l}})
	}
	c.Add([]Observation{{3, l}, {0, Link{0.05, 1e-4}}})
	c.Add([]Observation{{4, l}})
	for i, want := range []Link{{}, {0.01, 0.8e-4}, {0.02, 1.2e-4}, {0.03, 1.2e-4}, {0.04, 0.8e-4}, {0.04, 1.8e-4}} {
		if got := c.Values()[i]; !near(got.Log, want.Log) || !near(got.Variance, want.Variance) {
			t.Errorf("place %d: %v, want %v", i, got, want)
		}
	}
	if step, _ := c.Between(3, 4); step != l {
		t.Errorf("the link before the anchor is %v", step)
	}
}

// Intervals at 95 % hold the true value in 95 % of all chains or a little more: where links come from few starts their
// errors are taken too large rather than too small. With anchors, too, which do not contradict the chain by chance.
func TestTheChainsIntervalsHoldTheTruth(t *testing.T) {
	const chains, n = 400, 41
	for _, starts := range []int{6, 13, 40} {
		for name, anchors := range map[string]func(int) int{"none": noAnchor, "first": theFirst, "release": lastRelease} {
			r := rand.New(rand.NewPCG(59, uint64(starts)))
			e := errorsAt(t, 0.95)
			held, all, clashes, width := 0, 0, 0, 0.0
			for range chains {
				steps := map[int]float64{7: 0.05, 30: -0.1}
				c, _, truth, said := simulated(r, e, n, steps, 0.005, starts, anchors)
				clashes += said
				values := c.Values()
				for i := 5; i < n; i += 5 {
					v := e.Interval(values[i])
					if v.Low <= math.Exp(truth[i]) && math.Exp(truth[i]) <= v.High {
						held++
					}
					all++
					width += math.Log(v.High) - math.Log(v.Low)
				}
			}
			share := float64(held) / float64(all)
			t.Logf("%d starts, anchor %s: %.1f %% hold it, width %.2f %%, %d anchors contradict", starts, name, 100*share,
				100*width/float64(all), clashes)
			if share < 0.94 || share > 0.995 {
				t.Errorf("%d starts, anchor %s: %.1f %% of the intervals hold the truth", starts, name, 100*share)
			}
			if clashes > 6 {
				t.Errorf("%d starts, anchor %s: %d contradict by chance in %d chains", starts, name, clashes, chains)
			}
		}
	}
}
