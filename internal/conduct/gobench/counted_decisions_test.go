package gobench

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/callgrind"
	"github.com/gohone/hone/internal/conduct/gobench/instructions"
	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

// What benchmarks are called whose instructions are counted, and what their gates say, stays as it is.
func TestDecisionsOnSimulatedCounts(t *testing.T) {
	var short, full strings.Builder
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(56, seed))
		pick := func(of ...float64) float64 { return of[rng.IntN(len(of))] }
		task := Task{Progress: &watcher{}, Bench: spec.Bench{Instructions: true}}
		task.Delta = InstructionsDelta
		for _, text := range [][]string{nil, {"instructions<+1%"}, {"func(x/p.work)<+5%", "instructions<=+20"}}[rng.IntN(3)] {
			g, err := gate.ParseOf(text, measure.OfInstructions)
			if err != nil {
				t.Fatal(err)
			}
			task.Gates = append(task.Gates, g)
		}
		n, rounds := 1+rng.IntN(4), int(pick(0, 1, 2, 4, 4, 4))
		m := &measurement{task: task, result: &benchmarks.Result{Rounds: rounds}, sides: [2]*sources.Side{{}, {}}}
		c := &counting{measurement: m}
		for i := range n {
			b := &counted{bench: &bench{name: fmt.Sprint("X", i), pkg: &pkg{path: "p"}},
				Counts: instructions.Counts{Few: 10, Many: 50}}
			factor, scatter := pick(1, 1, 1.0005, 1.004, 1.05, 0.9), pick(0, 0.0002, 0.003, 0.05)
			for range rounds {
				for side, f := range []float64{1, factor} {
					cost := uint64(1e6 * f * math.Exp(scatter*rng.NormFloat64()))
					one := costs(cost/10, cost)
					if i == 1 { // another function
						one = callgrind.Slope(&callgrind.Profile{}, &callgrind.Profile{Total: cost,
							Self: map[string]uint64{"x/p.Other": cost}}, 1)
					}
					b.Runs[side] = append(b.Runs[side], one)
				}
			}
			addRuns(b)
			c.benches, m.benches = append(c.benches, b), append(m.benches, b.bench)
		}
		concludeCounts(t, c)
		for _, b := range m.result.Benchmarks {
			b.Instructions.Functions = nil
		}
		text, err := json.MarshalIndent([]any{m.result.Benchmarks, m.result.Geomean}, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&full, "%d\n%s\n", seed, text)
		fmt.Fprintf(&short, "%d: %d rounds\n%s", seed, rounds, inShort(m.result))
	}
	sameDecisions(t, "decisions_counts.golden", short.String(), full.String())
}

func addRuns(b *counted) {
	b.Measures = []judge.Measure{measure.OperationInstructions}
	for i := range b.Runs[0] {
		b.Blocks = append(b.Blocks, instructions.RunOf(measure.OperationInstructions, b.Runs[0][i].Total, b.Runs[1][i].Total))
	}
}

func concludeCounts(t *testing.T, c *counting) {
	c.referee = c.refereeOfRuns()
	if c.result.Rounds > 0 {
		if _, err := c.referee.LookAfter(c.result.Rounds, time.Second); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.conclude(); err != nil {
		t.Fatal(err)
	}
}
