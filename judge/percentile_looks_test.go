package judge

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// Over all looks percentiles spend no more than the level, and the last look has what is left.
func TestPercentilesShareTheLevelAmongTheirLooks(t *testing.T) {
	looks := []Look{{6, 0.2}, {7, 0.4}, {8, 0.55}, {9, 0.7}, {10, 0.8}, {11, 1}}
	want := []float64{0, 0, 0.05 * 0.55 * 0.55, 0, 0.05 * (0.8*0.8 - 0.55*0.55), 0.05 * (1 - 0.8*0.8)}
	sum := 0.0
	for i := range looks {
		o := Options{Alpha: 0.05, Looks: looks[:i+1], Interim: i < len(looks)-1}
		got := percentileLevel(o)
		if math.Abs(got-want[i]) > 1e-12 {
			t.Errorf("look %d: level %v, want %v", i, got, want[i])
		}
		sum += got
		o.Interim = false // the comparison ends here
		before := 0.0
		for _, w := range want[:i] {
			before += w
		}
		if got := percentileLevel(o); math.Abs(got-(0.05-before)) > 1e-12 {
			t.Errorf("a last look %d: level %v, want %v", i, got, 0.05-before)
		}
	}
	if sum > 0.05+1e-12 {
		t.Errorf("all looks spend %v", sum)
	}
	if got := percentileLevel(Options{Alpha: 0.05}); got != 0.05 {
		t.Errorf("the only look has the level %v", got)
	}
}

// The time to first byte is decided by its own distribution, and needs streams on both sides.
func TestTheFirstByteHasItsOwnVerdict(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	var blocks []Block
	for range 8 {
		var b Block
		for range 6 {
			same := latencies(rng, 800, 60)
			b.Pairs = append(b.Pairs, Pair{LatencyA: same, LatencyB: same, FirstByteA: latencies(rng, 800, 20), FirstByteB: latencies(rng, 800, 40)})
		}
		blocks = append(blocks, b)
	}
	firstByte := latency(0.5)
	firstByte.FirstByte = true
	o := Options{}
	whole, err := Decide(latency(0.5), blocks, o)
	if err != nil || whole.Word == Slower {
		t.Errorf("whole answers are %v, %v: they are the same", whole.Word, err)
	}
	first, err := Decide(firstByte, blocks, o)
	if err != nil || first.Word != Slower || first.Low < 1.8 || first.High > 2.2 {
		t.Errorf("the first byte is %v (%v ... %v), %v, want slower by 2", first.Word, first.Low, first.High, err)
	}
	for i := range blocks {
		for j := range blocks[i].Pairs {
			blocks[i].Pairs[j].FirstByteB = nil
		}
	}
	if _, err := Decide(firstByte, blocks, o); !errors.Is(err, ErrNotObserved) {
		t.Errorf("without streams in B: %v, want ErrNotObserved", err)
	}
}
