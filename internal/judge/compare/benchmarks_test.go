package compare

import (
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// operations are blocks of one pair each.
func operations(m judge.Measure, a, b []float64) []judge.Block {
	var blocks []judge.Block
	for i := range a {
		blocks = append(blocks, judge.Block{Pairs: []judge.Pair{{A: judge.Sample{m.Key: a[i]},
			B: judge.Sample{m.Key: b[i]}}}})
	}
	return blocks
}

// timed is a benchmark that shows its time only.
func timed(blocks ...judge.Block) *Contender {
	return &Contender{Measures: []judge.Measure{measure.OperationTime}, Blocks: blocks}
}

// ofBenchmarks is a referee of benchmarks.
func ofBenchmarks(q Question, all ...*Contender) *Referee {
	q.Gated, q.Decide = measure.OperationTime, DecideOperations
	return NewRefereeOf(q, all...)
}

func alone(s *Contender) (any, bool) { return s, true }

// Over many benchmarks that are equal on both sides, hardly ever one is called
// different: 200 measurements of 8 benchmarks, level 5 %.
func TestFalseAlarmsOverManyBenchmarks(t *testing.T) {
	const measurements, benchmarks, rounds = 200, 8, 10
	rng := rand.New(rand.NewPCG(7, 11))
	alarms := 0
	for range measurements {
		var all []*Contender
		for range benchmarks {
			b := timed()
			for range rounds {
				b.Blocks = append(b.Blocks, operations(measure.OperationTime,
					[]float64{100 * math.Exp(rng.NormFloat64()*0.02)},
					[]float64{100 * math.Exp(rng.NormFloat64()*0.02)})...)
			}
			all = append(all, b)
		}
		r := ofBenchmarks(Question{Options: judge.Options{Delta: 0.0001}}, all...)
		if err := r.End(); err != nil {
			t.Fatal(err)
		}
		for _, b := range all {
			if r.ContestOf(b).Shown() {
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
		v, err := DecideOperations(measure.OperationAllocs, operations(measure.OperationAllocs, seven(c.a), seven(c.b)),
			judge.Options{Alpha: 1e-6})
		if err != nil || v.Word != c.want || v.Method != Exact {
			t.Errorf("%v -> %v: %v by %v, %v; want %v", c.a, c.b, v.Word, v.Method, err, c.want)
		}
	}
	a := seven(4)
	a[3] = 5
	if v, err := DecideOperations(measure.OperationAllocs, operations(measure.OperationAllocs, a, seven(9)),
		judge.Options{Alpha: 1e-6}); err != nil || v.Word != judge.Undecided {
		t.Errorf("numbers that scatter: %v, %v; want a test, and it undecided", v.Word, err)
	}
	if v, err := DecideOperations(measure.OperationAllocs, operations(measure.OperationAllocs, a[:3], seven(9)[:3]),
		judge.Options{}); err != nil || v.Method == Exact {
		t.Errorf("three processes that agree: %v by %v, %v; want a test", v.Word, v.Method, err)
	}
}

// The geometric mean's ratio is the mean of the logarithms of the benchmarks' ratios, and its
// interval is narrower than theirs: by the square root of their number if they are equally wide.
func TestMeanCombinesTheBenchmarks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 4).Draw(t, "benchmarks")
		factor := rapid.Float64Range(0.25, 4).Draw(t, "factor")
		var all []*Contender
		want := 0.0
		for i := range n {
			b := timed()
			own := factor * float64(1+i)
			want += math.Log(own) / float64(n)
			for r := range 7 { // symmetric about own
				scatter := math.Exp(0.01 * (float64(r) - 3))
				b.Blocks = append(b.Blocks, operations(measure.OperationTime, []float64{1000},
					[]float64{1000 * own * scatter})...)
			}
			all = append(all, b)
		}
		r := ofBenchmarks(Question{}, all...)
		if err := r.End(); err != nil {
			t.Fatal(err)
		}
		v, ok, err := r.Mean(measure.OperationTime, alone)
		if err != nil || !ok || math.Abs(math.Log(v.Ratio)-want) > 1e-9 || v.Method != Combined {
			t.Fatalf("geomean %v by %v, %v, %v; want %v", v.Ratio, v.Method, ok, err, math.Exp(want))
		}
		one, err := judge.Decide(measure.OperationTime, all[0].Blocks, judge.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range [][2]float64{{math.Log(v.High / v.Low), math.Log(one.High / one.Low)},
			{math.Log(v.EquivalenceHigh / v.EquivalenceLow), math.Log(one.EquivalenceHigh / one.EquivalenceLow)}} {
			shrunk, want := c[1]/c[0], math.Sqrt(float64(n))
			if math.Abs(shrunk-want) > 0.01*want { // the ends are found by trying
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
func TestMeanKeepsItsLevel(t *testing.T) {
	const measurements = 200
	rng := rand.New(rand.NewPCG(3, 5))
	alarms := 0
	for range measurements {
		var all []*Contender
		for i := range 3 {
			b := timed()
			scatter := 0.01 * float64(1+i)
			for range 8 {
				b.Blocks = append(b.Blocks, operations(measure.OperationTime, []float64{100},
					[]float64{100 * math.Exp(scatter*rng.NormFloat64())})...)
			}
			all = append(all, b)
		}
		r := ofBenchmarks(Question{}, all...)
		r.enroll()
		v, ok, err := r.Mean(measure.OperationTime, alone)
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

// Benchmarks of one package may share what its layouts cost: their errors do not cancel in the geometric mean, and
// those of different packages do.
func TestMeanOfSharedErrors(t *testing.T) {
	width := func(packages int) float64 {
		var all []*Contender
		for range 4 {
			b := timed()
			for layout := range 8 {
				scatter := 1 + 0.01*(float64(layout)-3.5)
				blocks := operations(measure.OperationTime, []float64{100}, []float64{100 * scatter})
				blocks[0].Layout = layout + 1
				b.Blocks = append(b.Blocks, blocks...)
			}
			all = append(all, b)
		}
		r := ofBenchmarks(Question{}, all...)
		r.enroll()
		next := 0
		v, ok, err := r.Mean(measure.OperationTime, func(*Contender) (any, bool) { next++; return next % packages, true })
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		one, err := judge.Decide(measure.OperationTime, all[0].Blocks, judge.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return (v.High - v.Low) / (one.High - one.Low)
	}
	if one, two := width(1), width(2); one < 0.98 || one > 1.02 || two < 0.69 || two > 0.73 {
		t.Errorf("as wide as one benchmark by %.3f in one package, %.3f in two; want 1 and 0.71", one, two)
	}
}

// turnsOf are n blocks of three pairs in which B takes factor times as long as A.
func turnsOf(rng *rand.Rand, n int, factor float64) (blocks []judge.Block) {
	for range n {
		var block judge.Block
		order := 0.005 * rng.NormFloat64()
		for range 3 {
			block.Pairs = append(block.Pairs, judge.Pair{
				A: judge.Sample{measure.OperationTime.Key: 1000, measure.OperationAllocs.Key: 3},
				B: judge.Sample{measure.OperationTime.Key: 1000 * factor * math.Exp(order+0.003*rng.NormFloat64()),
					measure.OperationAllocs.Key: 3},
			})
		}
		blocks = append(blocks, block)
	}
	return blocks
}

// afterFirst is a referee of one benchmark that has looked at these blocks after two fifths of a budget of a minute.
func afterFirst(t *testing.T, gates []gate.Gate, blocks []judge.Block) (*Referee, *Contender) {
	t.Helper()
	b := timed(blocks...)
	b.Measures = append(b.Measures, measure.OperationAllocs)
	r := ofBenchmarks(Question{Gates: gates, Budget: time.Minute}, b)
	time.Sleep(24 * time.Second)
	look(t, r, len(blocks))
	return r, b
}

func look(t *testing.T, r *Referee, n int) {
	t.Helper()
	if _, err := r.LookAfter(n, 0); err != nil {
		t.Fatal(err)
	}
}

// A difference is measured again, and is one only if it comes again.
func TestABenchmarkIsConfirmed(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 5))
	for _, c := range []struct {
		name        string
		first, then float64
		want        judge.Word
		confirmed   bool
	}{
		{"again", 1.05, 1.05, judge.Slower, true},
		{"gone", 1.05, 1, judge.Same, false},
		{"the other way", 1.05, 0.95, judge.Undecided, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			r, b := afterFirst(t, nil, turnsOf(rng, 10, c.first))
			if b.done || !b.Confirming() || b.split != 10 || b.until < 17 {
				t.Fatalf("%s: after the first stage: %+v", c.name, b.stage)
			}
			b.Blocks = append(b.Blocks, turnsOf(rng, b.until-10, c.then)...)
			look(t, r, b.until)
			v := r.ContestOf(b).Verdict
			if !b.done || v.Word != c.want || v.Confirmed() != c.confirmed || v.Retracted() == c.confirmed ||
				v.Starts != b.until-10 {
				t.Errorf("%s: %+v, first %+v", c.name, v, v.First)
			}
			if exact := r.family(measure.OperationAllocs).of(b).Verdict; exact.Method != Exact ||
				exact.Word != judge.Same || exact.First != nil {
				t.Errorf("%s: allocations: %+v", c.name, exact)
			}
		})
	}
}

// What is the same, and a benchmark of a fixed number of rounds, has one stage.
func TestABenchmarkWithoutAlarmHasOneStage(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 6))
	synctest.Test(t, func(t *testing.T) {
		if _, b := afterFirst(t, nil, turnsOf(rng, 12, 1)); !b.done || b.Confirming() {
			t.Errorf("the same: %+v", b.stage)
		}
		b := timed(turnsOf(rng, 12, 1.1)...)
		r := ofBenchmarks(Question{Most: 12}, b)
		look(t, r, 12)
		if v := r.ContestOf(b).Verdict; b.Confirming() || v.Word != judge.Slower {
			t.Errorf("%+v, %+v", b.stage, v)
		}
	})
}

// A gate that fails is measured again.
func TestAGateOfABenchmarkIsConfirmed(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 7))
	limit, err := gate.ParseOf("time<+2%", []judge.Measure{measure.OperationTime})
	if err != nil {
		t.Fatal(err)
	}
	for then, want := range map[float64]gate.Outcome{1.06: gate.Failed, 1: gate.Passed} {
		synctest.Test(t, func(t *testing.T) {
			r, b := afterFirst(t, []gate.Gate{limit}, turnsOf(rng, 10, 1.06))
			if b.done || !b.Confirming() {
				t.Fatalf("after the first stage: %+v", b.gates)
			}
			b.Blocks = append(b.Blocks, turnsOf(rng, b.until-10, then)...)
			look(t, r, b.until)
			if ruling, err := r.RuleOn(b); err != nil || ruling.Gates[0].Outcome != want {
				t.Errorf("then %v: %+v, %v, want %s", then, ruling.Gates, err, want)
			}
		})
	}
}

// Second stages share the time that is left, and each has as many blocks as can confirm anything.
func TestSecondStagesFitIntoTheBudget(t *testing.T) {
	rng := rand.New(rand.NewPCG(54, 1))
	for _, c := range []struct {
		perBlock time.Duration
		want     func(n int) bool
	}{
		{time.Millisecond, func(n int) bool { return n == 80 }},
		{time.Second, func(n int) bool { return n > 8 && 2*n <= 38 }},
		{time.Minute, func(n int) bool { return n == 8 }},
	} {
		synctest.Test(t, func(t *testing.T) {
			all := []*Contender{timed(turnsOf(rng, 10, 1.05)...), timed(turnsOf(rng, 10, 1.05)...)}
			r := ofBenchmarks(Question{Budget: time.Minute, After: 6 * time.Second, Again: 15 * time.Second}, all...)
			time.Sleep(24 * time.Second)
			for _, b := range all {
				b.split, b.until = 10, 90
			}
			r.shareTime(10, c.perBlock)
			for _, b := range all {
				if n := b.Again(); !c.want(n) {
					t.Errorf("%v for a block: %d blocks", c.perBlock, n)
				}
			}
		})
	}
}
