package gobench

import (
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
)

// With gates the time goes to the benchmarks whose gates are open, and the measurement ends as soon as all are decided. Of
// four benchmarks one scatters, in its time or its CPU time, and takes far more blocks than the others.
func TestTheBudgetGoesToOpenGates(t *testing.T) {
	for text, scatters := range map[string]string{"time<+5%": "time", "cpu<+5%": measure.OperationCPU.Key} {
		synctest.Test(t, func(t *testing.T) {
			g, err := gate.ParseOf(text, measure.OfBenchmarks)
			if err != nil {
				t.Fatal(err)
			}
			task := Task{Progress: &watcher{}}
			task.Budget, task.Gates = 2*time.Minute, []gate.Gate{g}
			const n, loud = 4, 2
			s := newSimulation(task, n, task.Budget)
			rng := rand.New(rand.NewPCG(57, 5))
			for round := 1; ; round++ {
				began := time.Now()
				for _, i := range s.begin() {
					one := simulated{factor: 1, between: 0.002, within: 0.003, rng: rng}
					block := one.block(0)
					luck := 0.08 * rng.NormFloat64()
					for _, p := range block.Pairs {
						p.A[measure.OperationCPU.Key], p.B[measure.OperationCPU.Key] = 900, 900*math.Exp(0.003*rng.NormFloat64())
						if i == loud {
							p.B[scatters] *= math.Exp(luck)
						}
					}
					s.add(i, block, []string{"ns/op", "cpu-ns/op"})
					time.Sleep(time.Second)
				}
				if over, err := s.look(round, time.Since(began)); err != nil {
					t.Fatal(err)
				} else if over {
					break
				}
			}
			if err := s.m.conclude(); err != nil {
				t.Fatal(err)
			}
			r := s.m.result
			if r.Stopped != compare.StoppedGates || r.Elapsed >= task.Budget {
				t.Errorf("%s: %s after %v of %v", text, r.Stopped, r.Elapsed, task.Budget)
			}
			for i, b := range r.Benchmarks {
				if i != loud && 3*b.Rounds > 2*r.Benchmarks[loud].Rounds || b.Gates[0].Outcome != gate.Passed {
					t.Errorf("%s: %s has %d blocks, and its gate is %s", text, b.Name, b.Rounds, b.Gates[0].Outcome)
				}
			}
		})
	}
}
