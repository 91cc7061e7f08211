package power_test

import (
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// latency is a percentile.
func latency(q float64) judge.Measure {
	return judge.Measure{Key: "p", Name: "latency", Unit: "ns", Level: judge.Pooled, Quantile: q}
}

// answered draws latencies around a median, which a part of the requests takes 60 longer than.
func answered(rng *rand.Rand, n int, median, slow float64) stats.Distribution {
	counts := map[float64]uint64{}
	for range n {
		v := median * math.Exp(0.3*rng.NormFloat64())
		if rng.Float64() < slow {
			v += 60
		}
		counts[math.Ceil(v)]++
	}
	var d stats.Distribution
	for _, v := range slices.Sorted(maps.Keys(counts)) {
		d = append(d, stats.Bin{Value: v, Count: counts[v]})
	}
	return d
}

// stalled is a slice of an open loop, at times of a machine that stands still: most requests of it wait.
func stalled(rng *rand.Rand, slow float64) stats.Distribution {
	if rng.IntN(50) != 0 {
		return answered(rng, 50, 20, slow)
	}
	return answered(rng, 50, 100+400*rng.Float64(), 0)
}

// atARate plays a comparison of two stages at a rate, by p99: twenty blocks are its budget. B lets a part of the
// requests wait.
func atARate(t *testing.T, rng *rand.Rand, slow float64) (first, final judge.Verdict) {
	t.Helper()
	var blocks []judge.Block
	for range 32 {
		var b judge.Block
		for range 10 {
			b.Pairs = append(b.Pairs, judge.Pair{LatencyA: stalled(rng, 0), LatencyB: stalled(rng, slow)})
		}
		blocks = append(blocks, b)
	}
	o := judge.Options{Staged: true, Questions: 15}
	for _, n := range []int{10, 15, 20} {
		o.Looks, o.Interim = append(o.Looks, judge.Look{Blocks: n, Used: float64(n) / 20}), n < 20
		v, err := judge.Decide(latency(0.99), blocks[:n], o)
		if err != nil {
			t.Fatal(err)
		}
		if first = v; !v.Word.Different() {
			continue
		}
		o.Confirm = n
		final, err = judge.DecideInStages(latency(0.99), blocks[:n+min(11, 23-n)], o,
			func(v judge.Verdict) bool { return v.Word.Different() })
		if err != nil {
			t.Fatal(err)
		}
		return first, final
	}
	return first, first
}

// On a machine that stands still in one slice of fifty, which p99 is then of, a twentieth of the requests that wait
// longer is found, and of equal variants none is called different.
func TestTheTailShowsWhatThePercentileDoesNot(t *testing.T) { tails(t, 8, 8) }

func TestTheTailShowsWhatThePercentileDoesNotInHundreds(t *testing.T) { tails(t, 2000, 500) }

func tails(t *testing.T, equal, slower int) {
	rng := rand.New(rand.NewPCG(57, 70))
	firsts, alarms, found, alone := 0, 0, 0, 0
	for range equal {
		first, v := atARate(t, rng, 0)
		if first.Word.Different() {
			firsts++
		}
		if v.Word.Different() {
			alarms++
		}
	}
	for range slower {
		first, v := atARate(t, rng, 0.05)
		if v.Word == judge.Slower {
			found++
		}
		if v.Word == judge.Slower && first.Method != judge.SlowShare && v.Method != judge.SlowShare {
			alone++
		}
		if first.Tail == nil || first.Tail.A > 0.1 || first.Tail.B > 0.15 {
			t.Errorf("%+v", first.Tail)
		}
	}
	t.Logf("of %d equal ones the first stage calls %d different, and both %d; of %d slower ones %d are found, %d by the "+
		"percentile alone", equal, firsts, alarms, slower, found, alone)
	if float64(alarms) > float64(equal)/1000 || float64(firsts) > 2+0.06*float64(equal) ||
		float64(found) < 0.9*float64(slower)-1 {
		t.Error("want an alarm in 2,000, and nine of ten found")
	}
}

// The time to first byte is decided by its own distribution, and needs streams on both sides.
func TestTheFirstByteHasItsOwnVerdict(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	var blocks []judge.Block
	for range 8 {
		var b judge.Block
		for range 6 {
			same := answered(rng, 800, 60, 0)
			b.Pairs = append(b.Pairs, judge.Pair{LatencyA: same, LatencyB: same,
				FirstByteA: answered(rng, 800, 20, 0), FirstByteB: answered(rng, 800, 40, 0)})
		}
		blocks = append(blocks, b)
	}
	firstByte := latency(0.5)
	firstByte.FirstByte = true
	o := judge.Options{}
	whole, err := judge.Decide(latency(0.5), blocks, o)
	if err != nil || whole.Word == judge.Slower {
		t.Errorf("whole answers are %v, %v: they are the same", whole.Word, err)
	}
	first, err := judge.Decide(firstByte, blocks, o)
	if err != nil || first.Word != judge.Slower || first.Low < 1.8 || first.High > 2.2 {
		t.Errorf("the first byte is %v (%v ... %v), %v, want slower by 2", first.Word, first.Low, first.High, err)
	}
	for i := range blocks {
		for j := range blocks[i].Pairs {
			blocks[i].Pairs[j].FirstByteB = nil
		}
	}
	if _, err := judge.Decide(firstByte, blocks, o); !errors.Is(err, judge.ErrNotObserved) {
		t.Errorf("without streams in B: %v, want ErrNotObserved", err)
	}
}
