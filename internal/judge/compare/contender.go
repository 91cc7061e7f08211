package compare

import (
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/judge"
)

// Contender is what is held against A: a variant of a program, or a benchmark of B against that of A.
//
// All variants have the same blocks, and begin their second stage together. A look decides on one measure of them, and
// the rest is decided in the end. A benchmark has blocks, measures and stages of its own, and a look decides on all of
// its measures. It is settled when its interval tells how large the change is, too: people read the number. What is
// decided of it keeps its word, and has the interval of all blocks of its first stage. A gate that it passed or failed
// stands: all intervals of all looks hold at once.
type Contender struct {
	// Blocks are those of both stages, in the order of time.
	Blocks []judge.Block
	// Measures are those that a look decides on, in the order in which they were seen.
	Measures []judge.Measure

	name  string       // in results of gates
	looks []judge.Look // at its first stage
	gates []judged     // in the order of the question
	// earlier is what earlier comparisons tell; nil before somebody asked.
	earlier *Earlier
	stage
}

// stage says how far a contender is.
type stage struct {
	split, until int    // how many blocks the first stage has, once it is over, and both together
	done         bool   // it needs no more blocks
	lost         bool   // it failed, and has no verdict
	late         bool   // too late for a second stage: more blocks only narrow the intervals
	why          string // its first stage ended
}

// judged is what a look says of a gate, and the verdict that it was held against.
type judged struct {
	gate.Result
	verdict judge.Verdict
	never   bool // the contender does not show the measure, and will not
}

// settled says that the gate is passed or failed.
func (j judged) settled() bool { return j.Outcome == gate.Passed || j.Outcome == gate.Failed }

// Done says that a contender needs no more blocks.
func (s *Contender) Done() bool { return s.done }

// Lost says that a contender failed.
func (s *Contender) Lost() bool { return s.lost }

// Lose ends a contender that failed: it needs no more blocks, and has no verdict.
func (s *Contender) Lose() { s.done, s.lost = true, true }

// Restart forgets the blocks of a contender, which is sampled in another way from now on. What was decided stands.
func (s *Contender) Restart() { s.Blocks, s.looks, s.split, s.until = nil, nil, 0, 0 }

// Confirming says that the second stage of a contender has begun, or is to begin with the next block.
func (s *Contender) Confirming() bool { return s.split > 0 }

// Again is how many blocks the second stage has when it is over.
func (s *Contender) Again() int { return s.until - s.split }

// toCome is how many blocks of the second stage are still to come.
func (s *Contender) toCome() int {
	if !s.Confirming() || s.done {
		return 0
	}
	return s.until - len(s.Blocks)
}

// first are the blocks of the first stage.
func (s *Contender) first() []judge.Block {
	if s.Confirming() {
		return s.Blocks[:s.split]
	}
	return s.Blocks
}

// latest are the blocks of the stage that the verdict is of.
func (s *Contender) latest() []judge.Block { return s.Blocks[s.split:] }

// stageOf are the blocks that a verdict is of.
func (s *Contender) stageOf(v judge.Verdict) []judge.Block {
	switch {
	case v.First != nil && v.First.Again:
		return s.latest()
	case v.First == nil && v.Word == judge.Undecided:
		return s.Blocks
	}
	return s.first()
}
