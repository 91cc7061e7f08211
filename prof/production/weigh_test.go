package production

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/testkit/proftest"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
	"github.com/gohone/hone/prof/internal/capturetest"
)

// world is a program whose functions cost per request, under a load and in production.
type world struct {
	a, b, production map[string]float64
}

// truth is the change in production, with the cost of a call of each function, and production's calls.
func (w world) truth() float64 {
	before, after := 0.0, 0.0
	for f, share := range w.production {
		before += share
		ratio := 1.0
		if w.a[f] > 0 {
			ratio = w.b[f] / w.a[f]
		}
		after += share * ratio
	}
	return 100 * (after/before - 1)
}

func (w world) whole() diff.Whole {
	sum := func(of map[string]float64) (all float64) {
		for _, v := range of {
			all += v
		}
		return all
	}
	a, b := sum(w.a), sum(w.b)
	return diff.Whole{A: a, B: b, StdErr: 0.005 * b}
}

// drawnOf draws a profile of n samples from costs.
func drawnOf(rng *rand.Rand, of map[string]float64, n float64, start int) prof.Capture {
	total := 0.0
	for _, v := range of {
		total += v
	}
	b := proftest.BuildCPU()
	for f, v := range of {
		if drawn := proftest.Poisson(rng, n*v/total); drawn > 0 {
			b.Ticks(drawn, "main."+f+" < main.main")
		}
	}
	c := capturetest.CPU(b, 100)
	c.Start = start
	return c
}

// exact is a profile without chance.
func exact(of map[string]float64) []prof.Capture {
	b := proftest.BuildCPU()
	for f, v := range of {
		if v > 0 {
			b.Ticks(int64(math.Round(100*v)), "main."+f+" < main.main")
		}
	}
	return []prof.Capture{capturetest.CPU(b, 100)}
}

func halved() world {
	return world{
		a:          map[string]float64{"parse": 300, "rank": 500, "write": 200},
		b:          map[string]float64{"parse": 300, "rank": 250, "write": 200},
		production: map[string]float64{"parse": 600, "rank": 100, "write": 200, "index": 100},
	}
}

// A change counts by what production spends at its place.
func TestWeigh(t *testing.T) {
	same := halved()
	same.production = same.a
	moved := halved()
	moved.b = map[string]float64{"parse": 300, "quick": 250, "write": 200} // another function does it
	unknown := halved()
	unknown.production = map[string]float64{"index": 1000}
	for _, c := range []struct {
		name           string
		of             world
		change, unseen float64
	}{
		{"rank is a tenth of production", halved(), -5, 10},
		{"production is as the load", same, -25, 0},
		{"a new function instead", moved, -5, 10},
		{"production does something else", unknown, 0, 100},
	} {
		w, err := Weigh(exact(c.of.production), exact(c.of.a), exact(c.of.b), c.of.whole(), WeighOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(w.Change-c.change) > 0.2 || math.Abs(w.Unseen-c.unseen) > 0.1 || math.Abs(w.Measured+25) > 1e-9 ||
			w.Low > w.Change || w.High < w.Change {
			t.Errorf("%s: %+v, want %v %% and %v %% unseen", c.name, w, c.change, c.unseen)
		}
	}
	w, err := Weigh(exact(halved().production), exact(halved().a), exact(halved().b), halved().whole(), WeighOptions{})
	if err != nil || len(w.Functions) != 1 || w.Functions[0].Function != "main.rank" ||
		math.Abs(w.Functions[0].Change+25) > 0.1 || math.Abs(w.Functions[0].Weighed+5) > 0.1 || w.Hidden() {
		t.Errorf("%+v, %v", w, err)
	}
}

// explained is the case in which the explanation of the change names its function.
const explained = "one small change that is explained"

// In at least 95 of 100 comparisons the interval holds what really changes: with a large change in one function, a
// change too small to be seen in some that production weighs twice, and none; and with a change within the noise of its
// samples that the explanation names.
func TestWeighIntervalsCover(t *testing.T) {
	spread := world{map[string]float64{}, map[string]float64{}, map[string]float64{}}
	for i := range 40 {
		f := fmt.Sprintf("f%d", i)
		spread.a[f] = 20
		spread.b[f], spread.production[f] = 20, 20
		if i < 20 {
			spread.b[f], spread.production[f] = 19, 40
		}
	}
	none := world{spread.a, spread.a, spread.production}
	// within the noise of its samples, and 4 times as much of production
	one := world{spread.a, maps.Clone(spread.a), maps.Clone(spread.a)}
	one.b["f0"], one.production["f0"] = 48, 80
	// the same, and small changes elsewhere, which production weighs twice
	unlike := world{spread.a, maps.Clone(spread.b), spread.production}
	unlike.b["f0"] = 48
	for name, w := range map[string]world{
		"one large change": halved(), "many small changes": spread, "no change": none,
		explained: one, explained + ", among others": unlike,
	} {
		o := WeighOptions{}
		if strings.HasPrefix(name, explained) {
			o.Changed = []string{"main.f0"}
		}
		rng := rand.New(rand.NewPCG(7, 1))
		held, rounds, width := 0, 400, 0.0
		for range rounds {
			var sides [2][]prof.Capture
			for start := range 5 {
				sides[0] = append(sides[0], drawnOf(rng, w.a, 200, start+1))
				sides[1] = append(sides[1], drawnOf(rng, w.b, 200, start+1))
			}
			whole := w.whole()
			whole.B += whole.StdErr * rng.NormFloat64()
			got, err := Weigh([]prof.Capture{drawnOf(rng, w.production, 3000, 0)}, sides[0], sides[1], whole, o)
			if err != nil {
				t.Fatal(err)
			}
			if truth := w.truth(); got.Low <= truth && truth <= got.High {
				held++
			}
			width += (got.High - got.Low) / 2
		}
		share := float64(held) / float64(rounds)
		t.Logf("%s: the interval of +-%.1f %% holds the truth %.1f %% in %.1f %% of simulations", name,
			width/float64(rounds), w.truth(), 100*share)
		if share < 0.94 {
			t.Errorf("%s: the interval holds the truth in %.1f %% of simulations only", name, 100*share)
		}
	}
}

func TestWeighRefuses(t *testing.T) {
	cpu := exact(halved().a)
	for _, whole := range []diff.Whole{{}, {A: 1}, {A: 1, B: math.Inf(1)}} {
		if _, err := Weigh(cpu, cpu, cpu, whole, WeighOptions{}); err == nil {
			t.Errorf("%+v is weighed", whole)
		}
	}
	if _, err := Weigh(nil, cpu, cpu, diff.Whole{A: 1, B: 1}, WeighOptions{}); err == nil {
		t.Error("weighed without production")
	}
}
