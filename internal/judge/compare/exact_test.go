package compare

import (
	"math/rand/v2"
	"testing"

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
