package compare

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// Other programs that are busy change the time of a benchmark, and not what it allocates.
func TestNeighboursChangeNoAllocations(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 2))
	var blocks []judge.Block
	for range 8 {
		var b judge.Block
		for range 4 {
			sample := func(factor float64) judge.Sample {
				v := factor * (1000 + float64(rng.IntN(3)))
				return judge.Sample{measure.OperationAllocs.Key: v, measure.OperationTime.Key: v}
			}
			b.Pairs = append(b.Pairs, judge.Pair{Disturbed: true, A: sample(1), B: sample(1.05)})
		}
		blocks = append(blocks, b)
	}
	for m, want := range map[judge.Measure]judge.Word{measure.OperationAllocs: judge.Slower,
		measure.OperationTime: judge.Undecided} {
		v, err := DecideOperations(m, blocks, judge.Options{})
		if err != nil || v.Word != want || (v.OnlyDisturbed != "") != (want == judge.Undecided) {
			t.Errorf("%s: %+v, %v; want %s", m.Name, v, err, want)
		}
	}
}

// Gates on whole numbers that all samples agree in are settled by two rounds, passed or failed; what scatters goes on.
func TestGatesOnWholeNumbersTakeTwoRounds(t *testing.T) {
	gates, err := gate.ParseOf("allocs<=0", measure.OfBenchmarks)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		b       func(pair int) float64
		outcome gate.Outcome
		rounds  int
	}{
		{func(int) float64 { return 3 }, gate.Passed, 2},
		{func(int) float64 { return 9 }, gate.Failed, 2},
		{func(pair int) float64 { return 3 + 6*float64(pair%2) }, gate.Open, 4},
	} {
		s := timed()
		s.Measures = append(s.Measures, measure.OperationAllocs)
		r := ofBenchmarks(Question{Budget: time.Hour, Gates: []gate.Gate{gates}}, s)
		rounds := 0
		for over := false; !over && rounds < 4; {
			rounds++
			block := judge.Block{}
			for pair := range 3 {
				block.Pairs = append(block.Pairs, judge.Pair{
					A: judge.Sample{measure.OperationTime.Key: 1000, measure.OperationAllocs.Key: 3},
					B: judge.Sample{measure.OperationTime.Key: 1010, measure.OperationAllocs.Key: c.b(pair)}})
			}
			if s.Blocks = append(s.Blocks, block); rounds < r.Next() {
				continue
			}
			if over, err = r.LookAfter(rounds, time.Second); err != nil {
				t.Fatal(err)
			}
		}
		ruling, err := r.RuleOn(s)
		if err != nil || len(ruling.Gates) != 1 || ruling.Gates[0].Outcome != c.outcome || rounds != c.rounds {
			t.Errorf("after %d rounds, want %d: %+v, %v", rounds, c.rounds, ruling.Gates, err)
		}
	}
}
