package compare

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohone/hone/stats"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// served are blocks of a program whose requests cost B 10 % more CPU time, and take factor times as long.
func served(n int, factor float64) []judge.Block {
	rng := rand.New(rand.NewPCG(18, 7))
	blocks := shifted(n, 1.1)
	for i := range blocks {
		for j := range blocks[i].Pairs {
			p := &blocks[i].Pairs[j]
			p.A[measure.Throughput.Key], p.B[measure.Throughput.Key] = 1000, 1000
			p.LatencyA, p.LatencyB = latencies(rng, 400, 60), latencies(rng, 400, 60*factor)
		}
	}
	return blocks
}

// Under an open loop a comparison goes on when CPU time is decided: until latency is, too, at a look at percentiles, or
// until the end of the budget. CPU time differs, which takes seven blocks more to confirm, within the budget.
func TestAnOpenLoopWaitsForLatency(t *testing.T) {
	const budget = 40 * time.Second
	for _, c := range []struct {
		name        string
		beside      []judge.Measure
		factor      float64
		from, until time.Duration
		stopped     string
	}{
		{"a closed loop", nil, 1, 6 * time.Second, budget / 2, StoppedDecided},
		{"slower", measure.OfOpenLoop, 1.5, budget/2 + 7*time.Second, budget/2 + 12*time.Second, StoppedDecided},
		{"the same", measure.OfOpenLoop[:2], 1, budget/2 + 7*time.Second, budget/2 + 12*time.Second, StoppedDecided},
		{"an interval that stays wide", []judge.Measure{measure.Percentile("p99.9", 0.999)}, 1, budget - 4*time.Second,
			budget, StoppedConfirmed},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := question(2, budget)
				q.Beside = c.beside
				f := play(t, q, served(42, c.factor))
				if f.Stopped != c.stopped || f.Elapsed() < c.from || f.Elapsed() > c.until {
					t.Errorf("%s after %v, want %s from %v to %v", f.Stopped, f.Elapsed(), c.stopped, c.from, c.until)
				}
				if v := f.Contest(0).Verdict; v.Word != judge.Slower || v.Starts > 12 {
					t.Errorf("the verdict on CPU time: %+v", v)
				}
			})
		})
	}
}

// A difference, or none beyond 5 %, settles a measure; a wide interval does not.
func TestWhatSettlesAMeasure(t *testing.T) {
	for _, c := range []struct {
		v    judge.Verdict
		want bool
	}{
		{judge.Verdict{Word: judge.Slower}, true},
		{judge.Verdict{Word: judge.Undecided, Delta: 0.01, EquivalenceLow: 0.96, EquivalenceHigh: 1.04}, true},
		{judge.Verdict{Word: judge.Undecided, Delta: 0.01, EquivalenceLow: 0.96, EquivalenceHigh: 1.06}, false},
		{judge.Verdict{Word: judge.Undecided, Delta: 0.01, EquivalenceLow: 0.95, EquivalenceHigh: 1.04}, false},
		{judge.Verdict{Word: judge.Undecided, Delta: 0.1, EquivalenceLow: 0.95, EquivalenceHigh: 1.06}, true},
	} {
		r := &Referee{question: Question{Options: judge.Options{}.WithDefaults()}}
		if got := r.endsMeasure(c.v); got != c.want {
			t.Errorf("%+v: %v", c.v, got)
		}
	}
}

// A gate on a percentile that is clear ends the comparison at half of the budget.
func TestAGateOnAPercentileDoesNotWaitForTheWholeBudget(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 5))
	p99 := measure.Percentile("p99", 0.99)
	var blocks []judge.Block
	for range 12 {
		var b judge.Block
		for range 6 {
			b.Pairs = append(b.Pairs, judge.Pair{LatencyA: latencies(rng, 800, 60), LatencyB: latencies(rng, 800, 60)})
		}
		blocks = append(blocks, b)
	}
	limit := gate.Gate{Measure: p99, Op: "<", Limit: 0.5, Relative: true}
	r := NewReferee(Question{Gated: measure.CPU, Measures: []judge.Measure{p99}, Gates: []gate.Gate{limit},
		Variants: []string{"B"}})
	b := r.contenders[0]
	for i, used := range []float64{0.3, 0.4, 0.55} {
		n := 8 + 2*i
		b.Blocks, b.looks = blocks[:n], append(b.looks, judge.Look{Blocks: n, Used: used})
		if settled, err := r.gatesSettled(r.contenders, false); settled != (used > 0.5) || err != nil {
			t.Errorf("at %v of the budget: settled is %v, %v", used, settled, err)
		}
	}
}

// latencies draws so many around a median, with a tail.
func latencies(rng *rand.Rand, n int, median float64) stats.Distribution {
	counts := map[float64]uint64{}
	for range n {
		v := median * math.Exp(0.3*rng.NormFloat64())
		if rng.IntN(50) == 0 {
			v *= 4
		}
		counts[math.Ceil(v)]++
	}
	var d stats.Distribution
	for _, v := range slices.Sorted(maps.Keys(counts)) {
		d = append(d, stats.Bin{Value: v, Count: counts[v]})
	}
	return d
}

// At a rate a tail that shows in the slow requests only is found with time to measure it again, although nothing else
// is decided until the budget ends.
func TestSlowRequestsAreConfirmedWithinTheBudget(t *testing.T) {
	p99 := measure.Percentile("p99", 0.99)
	for slow, want := range map[float64]judge.Word{0: judge.Undecided, 0.1: judge.Slower} {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(57, 71))
			slice := func(slow float64) stats.Distribution {
				if rng.IntN(30) == 0 { // the machine stands still
					return latencies(rng, 50, 500)
				}
				d := latencies(rng, 50, 20)
				for i := range d {
					if v := d[i].Value; slow > 0 && rng.Float64() < slow {
						d[i].Value = math.Ceil(v) + 60 + float64(i)
					}
				}
				slices.SortFunc(d, func(a, b stats.Bin) int { return cmp.Compare(a.Value, b.Value) })
				return stats.Merge([]stats.Distribution{d})
			}
			blocks := scattered(rng, 40, 1, 0.1) // of CPU time nothing is shown
			for i := range blocks {
				pair := blocks[i].Pairs[0]
				blocks[i].Pairs = nil
				for range 10 {
					pair.LatencyA, pair.LatencyB = slice(0), slice(slow)
					blocks[i].Pairs = append(blocks[i].Pairs, pair)
				}
			}
			q := question(2, 20*time.Second)
			q.Measures, q.Beside = append(q.Measures, p99), []judge.Measure{p99}
			r := play(t, q, blocks)
			ruling, err := r.Rule(0, blocks[:r.Looks[len(r.Looks)-1].Blocks])
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(ruling.Verdicts, func(v judge.Verdict) bool { return v.Measure == p99 })
			if at < 0 || ruling.Verdicts[at].Word != want || r.Elapsed() > 23*time.Second {
				t.Errorf("%v slow, after %v: %+v, tail %+v", slow, r.Elapsed(), ruling.Verdicts[at], ruling.Verdicts[at].Tail)
			}
			if want == judge.Slower && !ruling.Verdicts[at].Confirmed() {
				t.Errorf("%+v", ruling.Verdicts[at])
			}
		})
	}
}
