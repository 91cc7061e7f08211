package replay

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/judge/power"
)

// changing are blocks of which B costs as much more as each log ratio says.
func changing(changes ...float64) (all []judge.Block) {
	for _, d := range changes {
		var b judge.Block
		for range 3 {
			b.Pairs = append(b.Pairs, judge.Pair{A: judge.Sample{measure.CPU.Key: 100, "rate": 1},
				B: judge.Sample{measure.CPU.Key: 100 * math.Exp(d)}})
		}
		all = append(all, b)
	}
	return all
}

// The change that a stored comparison shows is taken out, one that is planted is found, and what has too few blocks is
// not drawn from.
func TestAComparisonIsDrawnAgain(t *testing.T) {
	c, ok := equal(changing(0.095, 0.1, 0.105, 0.1, 0.098, 0.102, 0.1, 0.1))
	if !ok || len(c.blocks) != 8 || c.scatter.DF != 7 {
		t.Fatalf("%+v, %v", c, ok)
	}
	rng := rand.New(rand.NewPCG(1, 57))
	for change, want := range map[float64]bool{0: false, 0.05: true} {
		blocks := c.draw(rng, 2*room, change)
		p, err := power.Play(measure.CPU, blocks, room, judge.Options{})
		if err != nil || len(blocks) != 2*room || p.Final.Word.Different() != want {
			t.Errorf("%v: %+v, %v", change, p.Final, err)
		}
	}
	if _, ok := equal(changing(0.1, 0.1, 0.1)); ok {
		t.Error("three blocks are drawn from")
	}
}

// The blocks of a benchmark come from its changes, and the programs with the most alarms are named first.
func TestBenchmarksAreDrawnFromTheirChanges(t *testing.T) {
	blocks := blocksOf(judge.Changes{Values: []float64{0.1, -0.2}, Disturbed: []float64{1, 0}})
	if len(blocks) != 2 || !blocks[0].Pairs[0].Disturbed || blocks[1].Pairs[0].Disturbed ||
		math.Abs(blocks[1].Pairs[0].B[measure.CPU.Key]-math.Exp(-0.2)) > 1e-12 {
		t.Errorf("%+v", blocks)
	}
	d := drawing{of: map[string]int{"a": 1, "b": 3, "c": 1, "d": 2}}
	if got := d.worst(); got != "3 b, 2 d, 1 a" {
		t.Error(got)
	}
}

// What is known comes from other comparisons of the same program.
func TestThePriorIsOfTheSameProgram(t *testing.T) {
	var all []comparison
	for i := range 12 {
		c, _ := equal(changing(0, 0.01, -0.01, 0.02, -0.02, 0.01*float64(i)))
		c.program = []string{"a", "b"}[i%2]
		all = append(all, c)
	}
	if p := priorWithout(all, 0); p.DF == 0 {
		t.Error("five others of the program are no prior")
	}
	if p := priorWithout(all[:10], 0); p.DF != 0 {
		t.Errorf("four others: %v", p)
	}
}
