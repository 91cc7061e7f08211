package gobench

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

func blocksOf(m judge.Measure, a, b []float64) []judge.Block {
	var blocks []judge.Block
	for i := range a {
		blocks = append(blocks, judge.Block{Pairs: []judge.Pair{{A: judge.Sample{m.Key: a[i]},
			B: judge.Sample{m.Key: b[i]}}}})
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
		m := &measurement{task: Task{Test: spec.Test{Delta: 0.0001}}}
		for range benchmarks {
			b := &bench{units: []string{"ns/op"}}
			for range rounds {
				b.blocks = append(b.blocks, blocksOf(measure.OperationTime,
					[]float64{100 * math.Exp(rng.NormFloat64()*0.02)},
					[]float64{100 * math.Exp(rng.NormFloat64()*0.02)})...)
			}
			m.benches = append(m.benches, b)
		}
		if err := m.decideAll(); err != nil {
			t.Fatal(err)
		}
		for _, c := range m.families.of(measure.OperationTime).contests {
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
		want judge.Word
	}{{1, 1, judge.Same}, {0, 0, judge.Same}, {0, 1, judge.Slower}, {1, 999, judge.Slower}, {3, 0, judge.Faster},
		{1000, 1005, judge.Same}} {
		v, err := decide(measure.OperationAllocs, blocksOf(measure.OperationAllocs, seven(c.a), seven(c.b)),
			judge.Options{Alpha: 1e-6})
		if err != nil || v.Word != c.want || v.Method != benchmarks.Exact {
			t.Errorf("%v -> %v: %v by %v, %v; want %v", c.a, c.b, v.Word, v.Method, err, c.want)
		}
	}
	a := seven(4)
	a[3] = 5
	if v, err := decide(measure.OperationAllocs, blocksOf(measure.OperationAllocs, a, seven(9)),
		judge.Options{Alpha: 1e-6}); err != nil || v.Word != judge.Undecided {
		t.Errorf("numbers that scatter: %v, %v; want a test, and it undecided", v.Word, err)
	}
	if v, err := decide(measure.OperationAllocs, blocksOf(measure.OperationAllocs, a[:3], seven(9)[:3]),
		judge.Options{}); err != nil || v.Method == benchmarks.Exact {
		t.Errorf("three processes that agree: %v by %v, %v; want a test", v.Word, v.Method, err)
	}
}

// The geometric mean's ratio is the mean of the logarithms of the benchmarks' ratios, and its
// interval is narrower than theirs: by the square root of their number if they are equally wide.
func TestGeomeanCombinesTheBenchmarks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 4).Draw(t, "benchmarks")
		factor := rapid.Float64Range(0.25, 4).Draw(t, "factor")
		m := &measurement{}
		want := 0.0
		for i := range n {
			b := &bench{units: []string{"ns/op"}}
			own := factor * float64(1+i)
			want += math.Log(own) / float64(n)
			for r := range 7 { // symmetric about own
				scatter := math.Exp(0.01 * (float64(r) - 3))
				b.blocks = append(b.blocks, blocksOf(measure.OperationTime, []float64{1000},
					[]float64{1000 * own * scatter})...)
			}
			m.benches = append(m.benches, b)
		}
		if err := m.decideAll(); err != nil {
			t.Fatal(err)
		}
		v, ok, err := m.geomean(m.families.of(measure.OperationTime))
		if err != nil || !ok || math.Abs(math.Log(v.Ratio)-want) > 1e-9 || v.Method != Combined {
			t.Fatalf("geomean %v by %v, %v, %v; want %v", v.Ratio, v.Method, ok, err, math.Exp(want))
		}
		one, err := judge.Decide(measure.OperationTime, m.benches[0].blocks, m.task.options())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range [][2]float64{{math.Log(v.High / v.Low), math.Log(one.High / one.Low)},
			{math.Log(v.EquivalenceHigh / v.EquivalenceLow), math.Log(one.EquivalenceHigh / one.EquivalenceLow)}} {
			if shrunk := c[1] / c[0]; math.Abs(shrunk-math.Sqrt(float64(n))) > 0.01*math.Sqrt(float64(n)) { // the ends are found by trying
				t.Errorf("of %d benchmarks the interval is %v times as narrow as of one", n, shrunk)
			}
		}
		if shown := v.Low > 1 || v.High < 1; shown != (v.P <= 0.05) {
			t.Errorf("p = %v with the interval %v ... %v", v.P, v.Low, v.High)
		}
	})
}

// Of benchmarks without a change, the geometric mean's interval misses 0 in about 5 of 100
// measurements.
func TestGeomeanKeepsItsLevel(t *testing.T) {
	const measurements = 200
	rng := rand.New(rand.NewPCG(3, 5))
	alarms := 0
	for range measurements {
		m := &measurement{}
		for i := range 3 {
			b := &bench{units: []string{"ns/op"}}
			scatter := 0.01 * float64(1+i)
			for range 8 {
				b.blocks = append(b.blocks, blocksOf(measure.OperationTime, []float64{100},
					[]float64{100 * math.Exp(scatter*rng.NormFloat64())})...)
			}
			m.benches = append(m.benches, b)
		}
		m.enroll()
		v, ok, err := m.geomean(m.families.of(measure.OperationTime))
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		if v.Low > 1 || v.High < 1 {
			alarms++
		}
	}
	// 5 % of 200 is 10, with a standard deviation of 3.1.
	if alarms > 19 {
		t.Errorf("%d false alarms in %d measurements", alarms, measurements)
	}
}

func TestUnitsKnowTheirDirection(t *testing.T) {
	for unit, want := range map[string]judge.Direction{
		"ns/op": judge.Lower, "B/op": judge.Lower, "allocs/op": judge.Lower, cpuUnit: judge.Lower,
		"MB/s": judge.Higher, "frames/s": judge.Higher, "p99-ns": judge.Lower, "misses/op": judge.Lower,
	} {
		if got := measureOf(unit).Better; got != want {
			t.Errorf("%s: better is %s, want %s", unit, got, want)
		}
	}
}
