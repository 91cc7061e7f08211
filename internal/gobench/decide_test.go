package gobench

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/compare"
)

func blocksOf(m compare.Measure, a, b []float64) []compare.Block {
	var blocks []compare.Block
	for i := range a {
		blocks = append(blocks, compare.Block{A: compare.Sample{m.Key: a[i]}, B: compare.Sample{m.Key: b[i]}})
	}
	return blocks
}

// Over many benchmarks that are equal on both sides, hardly ever one is called
// different: 200 measurements of 8 benchmarks, level 5 %.
func TestFalseAlarmsOverManyBenchmarks(t *testing.T) {
	const measurements, benchmarks, rounds = 200, 8, 10
	rng := rand.New(rand.NewPCG(7, 11))
	alarms := 0
	for range measurements {
		m := &measurement{request: Request{Delta: 0.0001}}
		for range benchmarks {
			b := &bench{units: []string{"ns/op"}}
			for range rounds {
				b.blocks = append(b.blocks, compare.Block{
					A: compare.Sample{"time": 100 * math.Exp(rng.NormFloat64()*0.02)},
					B: compare.Sample{"time": 100 * math.Exp(rng.NormFloat64()*0.02)},
				})
			}
			m.benches = append(m.benches, b)
		}
		if err := m.decideAll(); err != nil {
			t.Fatal(err)
		}
		for _, c := range m.families.of(Time).contests {
			if c.Shown() {
				alarms++
				break
			}
		}
	}
	// 5 % of 200 is 10; 20 is three standard deviations more.
	if alarms > 20 {
		t.Errorf("%d false alarms in %d measurements", alarms, measurements)
	}
}

func TestExactNumbersNeedNoTest(t *testing.T) {
	seven := func(v float64) []float64 { return []float64{v, v, v, v, v, v, v} }
	for _, c := range []struct {
		a, b float64
		want compare.Word
	}{{1, 1, compare.Same}, {0, 0, compare.Same}, {0, 1, compare.Slower}, {1, 999, compare.Slower}, {3, 0, compare.Faster}, {1000, 1005, compare.Same}} {
		v, err := decide(Allocs, blocksOf(Allocs, seven(c.a), seven(c.b)), compare.Options{Alpha: 1e-6})
		if err != nil || v.Word != c.want || v.Method != Exact {
			t.Errorf("%v -> %v: %v by %v, %v; want %v", c.a, c.b, v.Word, v.Method, err, c.want)
		}
	}
	a := seven(4)
	a[3] = 5
	if v, err := decide(Allocs, blocksOf(Allocs, a, seven(9)), compare.Options{Alpha: 1e-6}); err != nil || v.Word != compare.Undecided {
		t.Errorf("numbers that scatter: %v, %v; want a test, and it undecided", v.Word, err)
	}
	if v, err := decide(Allocs, blocksOf(Allocs, a[:3], seven(9)[:3]), compare.Options{}); err != nil || v.Method == Exact {
		t.Errorf("three processes that agree: %v by %v, %v; want a test", v.Word, v.Method, err)
	}
}

// The geometric mean's ratio is the mean of the logarithms of the ratios, round by round.
func TestGeomeanComesFromTheRounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "benchmarks")
		rounds := rapid.IntRange(7, 12).Draw(t, "rounds")
		factor := rapid.Float64Range(0.25, 4).Draw(t, "factor")
		m := &measurement{}
		want := 0.0
		for i := range n {
			b := &bench{units: []string{"ns/op"}}
			own := factor * float64(1+i)
			want += math.Log(own) / float64(n)
			for r := range rounds {
				base := float64(1+i)*1000 + float64(r)
				b.blocks = append(b.blocks, blocksOf(Time, []float64{base}, []float64{base * own})...)
			}
			m.benches = append(m.benches, b)
		}
		if err := m.decideAll(); err != nil {
			t.Fatal(err)
		}
		v := m.families.of(Time).geomean.Verdict
		if math.Abs(math.Log(v.Ratio)-want) > 1e-9 {
			t.Errorf("geomean %v, want %v", v.Ratio, math.Exp(want))
		}
	})
}

func TestUnitsKnowTheirDirection(t *testing.T) {
	for unit, want := range map[string]compare.Direction{
		"ns/op": compare.Lower, "B/op": compare.Lower, "allocs/op": compare.Lower, cpuUnit: compare.Lower,
		"MB/s": compare.Higher, "frames/s": compare.Higher, "p99-ns": compare.Lower, "misses/op": compare.Lower,
	} {
		if got := measureOf(unit).Better; got != want {
			t.Errorf("%s: better is %s, want %s", unit, got, want)
		}
	}
}
