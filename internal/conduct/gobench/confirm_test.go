package gobench

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

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

// staged is a measurement of one benchmark after its first stage.
func staged(t *testing.T, gates []gate.Gate, blocks []judge.Block) (*measurement, *bench) {
	t.Helper()
	b := &bench{name: "X", units: []string{"ns/op", "allocs/op"}, blocks: blocks,
		looks: []judge.Look{{Blocks: len(blocks), Used: 0.4}}}
	m := &measurement{benches: []*bench{b}, task: Task{Test: spec.Test{Gates: gates, Budget: time.Minute}}}
	if err := m.decideAll(); err != nil {
		t.Fatal(err)
	}
	if err := m.settle(b, false); err != nil {
		t.Fatal(err)
	}
	return m, b
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
		m, b := staged(t, nil, turnsOf(rng, 10, c.first))
		if b.done || b.second == nil || b.second.from != 10 || b.second.until < 17 {
			t.Fatalf("%s: after the first stage: done %v, %+v", c.name, b.done, b.second)
		}
		b.blocks = append(b.blocks, turnsOf(rng, b.second.until-10, c.then)...)
		if err := m.settle(b, false); err != nil {
			t.Fatal(err)
		}
		v := m.families.of(measure.OperationTime).contests[b].Verdict
		if !b.done || v.Word != c.want || v.Confirmed() != c.confirmed || v.Retracted() == c.confirmed ||
			v.Starts != b.second.until-10 {
			t.Errorf("%s: %+v, first %+v", c.name, v, v.First)
		}
		if exact := m.families.of(measure.OperationAllocs).contests[b].Verdict; exact.Method != benchmarks.Exact ||
			exact.Word != judge.Same || exact.First != nil {
			t.Errorf("%s: allocations: %+v", c.name, exact)
		}
	}
}

// What is the same, and a benchmark of a fixed number of rounds, has one stage.
func TestABenchmarkWithoutAlarmHasOneStage(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 6))
	if _, b := staged(t, nil, turnsOf(rng, 12, 1)); !b.done || b.second != nil {
		t.Errorf("the same: done %v, %+v", b.done, b.second)
	}
	b := &bench{name: "X", units: []string{"ns/op"}, blocks: turnsOf(rng, 12, 1.1),
		looks: []judge.Look{{Blocks: 12, Used: 1}}}
	m := &measurement{benches: []*bench{b}, task: Task{Test: spec.Test{Count: 12}}}
	if err := m.decideAll(); err != nil {
		t.Fatal(err)
	}
	if err := m.settle(b, true); err != nil || b.second != nil ||
		m.families.of(measure.OperationTime).contests[b].Verdict.Word != judge.Slower {
		t.Errorf("%v, %+v, %+v", err, b.second, m.families.of(measure.OperationTime).contests[b].Verdict)
	}
}

// A gate that fails is measured again.
func TestAGateOfABenchmarkIsConfirmed(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 7))
	limit, err := gate.ParseOf("time<+2%", []judge.Measure{measure.OperationTime})
	if err != nil {
		t.Fatal(err)
	}
	for then, want := range map[float64]gate.Outcome{1.06: gate.Failed, 1: gate.Passed} {
		m, b := staged(t, []gate.Gate{limit}, turnsOf(rng, 10, 1.06))
		if b.done || b.second == nil {
			t.Fatalf("after the first stage: %+v", b.gates)
		}
		b.blocks = append(b.blocks, turnsOf(rng, b.second.until-10, then)...)
		if err := m.settle(b, false); err != nil {
			t.Fatal(err)
		}
		if got := b.gates[0]; got.Outcome != want {
			t.Errorf("then %v: %+v, want %s", then, got, want)
		}
	}
}
