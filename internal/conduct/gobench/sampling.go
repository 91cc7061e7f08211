package gobench

import (
	"fmt"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/turns"
	"github.com/gohone/hone/internal/text/units"
)

const (
	// longBlock is how long the processes of a block live. A start costs some 10 ms.
	longBlock = time.Second
	// shortBlock has a few dozen pairs of short turns.
	shortBlock = 200 * time.Millisecond
	// blocksWanted is how many blocks each benchmark should have: the test over blocks needs
	// six for one benchmark at 5 %, and 12 for a hundred (judge.FewestBlocks).
	blocksWanted = 24
)

// blockTime is how long the turns of a block take, given the time for the rounds of n
// benchmarks.
func (r Task) blockTime(budget time.Duration, n int) time.Duration {
	switch {
	case r.Block > 0:
		return r.Block
	case budget == 0:
		return longBlock
	}
	return min(longBlock, max(shortBlock, budget/time.Duration(n*blocksWanted)))
}

// whyProcesses is the reason that a benchmark cannot take turns, as far as that is known
// before it has tried; "" if there is none.
func (m *measurement) whyProcesses(b *bench) string {
	function := b.function()
	for side, r := range b.once {
		switch t := b.pkg.turns[side]; {
		case m.task.Iterations > 0:
			return fmt.Sprintf("--benchtime %dx", m.task.Iterations)
		case m.task.BenchTime > turns.LongTurn:
			return fmt.Sprintf("--benchtime %v is longer than a turn", m.task.BenchTime)
		case t.Why != "":
			return t.Why
		case t.TestOf[function] == "":
			return "no function " + function + " was found in the test files"
		case benchtext.Nanos(r) > float64(10*turns.LongTurn): // the first operation of a process is cold
			return "one operation takes " + units.Nanos(benchtext.Nanos(r))
		}
	}
	return ""
}
