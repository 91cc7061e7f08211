package instructions

import (
	"context"
	"time"

	"github.com/gohone/hone/internal/conduct/callgrind"
	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/text/units"
)

const (
	// instructionTarget is how many instructions the longer process of a run executes more than
	// the shorter one. Starts of one binary differ by some 80,000 (seen with Go 1.26), which is
	// 0.08 % of it. Callgrind executes about 75 million in a second.
	instructionTarget = 100e6
	// setUpShare is how much of that the shorter process does, for caches and pools to fill.
	setUpShare = 4
	// pilotTarget is how many instructions tell what an operation costs, to about 2 %.
	pilotTarget = 5e6
	// longOperation is an operation that takes so long without valgrind that two of them do.
	longOperation = 20 * time.Millisecond
)

// ChooseIterations finds how many iterations the two processes of a run do, the same on both sides: so that they differ
// by the operations that were asked for, or by enough. once is how long an operation took without valgrind.
func (v Valgrind) ChooseIterations(ctx context.Context, sides [2]Emulated, asked int,
	once time.Duration) (few, many int, err error) {
	more := 0.0
	switch {
	case asked > 0:
		more = setUpShare * float64(asked)
	case once >= longOperation:
		more = 2
	default:
		perOperation, n := 0.0, 1
		for _, side := range []int{1, 0} {
			cost, used, err := v.pilot(ctx, sides[side], n)
			if err != nil {
				return 0, 0, err
			}
			perOperation, n = max(perOperation, cost), used
		}
		more = instructionTarget / max(perOperation, 1)
	}
	few = max(1, benchtext.Readable(more/setUpShare))
	return few, few + max(2, benchtext.Readable(more)), nil
}

// pilot finds about what an operation costs on a side, from n iterations on in steps of ten, and how many iterations it
// took to know.
func (v Valgrind) pilot(ctx context.Context, r Emulated, n int) (perOperation float64, used int, err error) {
	const mostIterations = 1e8
	start, err := v.profile(ctx, r, 1)
	if err != nil {
		return 0, 0, err
	}
	for n = max(10, n); ; n *= 10 {
		p, err := v.profile(ctx, r, n)
		if err != nil {
			return 0, 0, err
		}
		more := float64(p.Total) - float64(start.Total)
		if more >= pilotTarget || n >= mostIterations {
			return more / float64(operationsIn(n)-operationsIn(1)), n, nil
		}
	}
}

// operationsIn is how many operations a process does that is asked for n iterations: the testing package runs a
// benchmark once before it runs it n times, where n is over 1.
func operationsIn(n int) int {
	if n > 1 {
		n++
	}
	return n
}

// Count is one run, of two processes with few and with many iterations: the instructions of an operation, and those of
// a process beside its operations.
func (v Valgrind) Count(ctx context.Context, r Emulated, few, many int) (*callgrind.Costs, float64, error) {
	start, err := v.profile(ctx, r, few)
	if err != nil {
		return nil, 0, err
	}
	whole, err := v.profile(ctx, r, many)
	if err != nil {
		return nil, 0, err
	}
	costs := callgrind.Slope(start, whole, uint64(operationsIn(many)-operationsIn(few)))
	if costs.Total <= 0 {
		return nil, 0, r.Side.Failure("benchmark %s of %s executed fewer instructions with %s operations than with %s",
			r.Name, r.Pkg, units.Count(uint64(many)), units.Count(uint64(few))).
			WithHint("it does not do its work b.N times, or its instructions vary more from run to run than the work "+
				"takes: name more operations, such as --benchtime %dx", 10*many)
	}
	return costs, float64(start.Total) - costs.Total*float64(operationsIn(few)), nil
}
