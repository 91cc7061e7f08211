package service

import (
	"math"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/judge/power"
	"github.com/gohone/hone/stats"
)

// blockSizes says how many rounds of slices the next block of a comparison gets.
//
// A start costs time that measures nothing, and a process is one sample however long it
// is measured; so the best number of rounds balances the two variances by their costs
// (stats.Repetitions).
type blockSizes struct {
	fixed         int           // rounds, each a pair, that the user set, or that a run has
	wanted        int           // blocks that the budget has to have room for
	fewest, sound int           // rounds of a block
	budget        time.Duration // of the comparison
	round         time.Duration // what a round of slices takes, drains and pauses included
	start         time.Duration // what a block takes besides its rounds
	next          int
	blocks        int
	spent         time.Duration // by all blocks
	first         time.Duration // by the first of them
	loaded        time.Duration // the part of it that was rounds
	rounded       int           // how many they were
}

const (
	// fewestRounds are taken whatever the budget, and half of them where starts take long for it: with fewer, one
	// disturbed pair is the estimate. soundRounds are taken if there is room, however much starts differ: pairs that
	// are far off come in one of twenty, and of eight they move it little.
	fewestRounds = 4
	soundRounds  = 8
	// firstLoad is the load that a comparison begins with.
	firstLoad = time.Second
	// cheapStart is how long a start may take, in parts of the load that follows it, and
	// not be worth saving; longLoad is the load of a block that is long enough in any case.
	// A verdict takes six blocks or more, so blocks that are longer than they have to be
	// put it off.
	cheapStart = 4
	longLoad   = 1250 * time.Millisecond
	// spareBlocks is how many blocks the budget has room for beyond those that both stages take at the least.
	spareBlocks = 1
	// usefulPart is the part of a large change that the error of a block may be: seven blocks then show the change with
	// an interval of a tenth of it on either side. largeChange is how many times that error a change is, to be large.
	usefulPart  = 1.0 / 12
	largeChange = 4
	// blocksForSpread is how many blocks it takes to say something about variances.
	blocksForSpread = 4
	// startGuess is the cost of starting one program, before it is known.
	startGuess = 100 * time.Millisecond
)

func newBlockSizes(r lab.Task, cut slicing) blockSizes {
	n := len(r.Variants)
	if cut.slice == 0 { // to be found out; nothing is planned before
		cut.slice = shortestSlice
	}
	round := time.Duration(n) * cut.pair()
	if n == 1 {
		return blockSizes{fixed: max(1, int(r.Duration/cut.slice)), round: round}
	}
	if r.Calibrate { // blocks as those of the shortest comparison that it is to speak of
		r.Budget = min(r.Budget, calibrationBudgets[0])
	}
	s := blockSizes{
		budget: timesOf(r).forBlocks(r.Budget), round: round, start: time.Duration(n) * (r.WarmUp + startGuess),
		wanted: 1, next: int(firstLoad / round), fewest: fewestRounds, sound: soundRounds,
	}
	switch { // a pair takes so long that a disturbance is a small part
	case !r.OwnEngine(), leastSlice(r) > 0:
		s.fewest, s.sound = 1, 2
	case cut.perPair > 1:
		s.fewest, s.sound = 2, 4
	}
	if o := r.Rules(); o.Validate() == nil {
		s.wanted = judge.FewestInStages(o.WithDefaults().Alpha/float64(n-1)) + spareBlocks
	}
	if r.BlockLoad > 0 {
		s.fixed = max(1, int(r.BlockLoad/round))
	}
	return s
}

func (s *blockSizes) rounds() int {
	if s.fixed > 0 {
		return s.fixed
	}
	fewest := s.fewest
	if s.tight(s.perBlock()) { // one more start tells more than more rounds of each
		fewest = max(1, fewest/2)
	}
	room := min(s.budget/time.Duration(s.wanted)-s.start, max(longLoad, cheapStart*s.start))
	return max(fewest, min(max(s.next, s.sound), int(room/s.round)))
}

// tight says that blocks take so long that the budget has hardly room for a difference and its confirmation.
func (s *blockSizes) tight(perBlock time.Duration) bool { return perBlock*tightBlocks > s.budget }

// took notes what a block of so many rounds cost, loading being the part of the rounds. The
// first start finds out more than later ones, such as the port, so it counts until the next.
func (s *blockSizes) took(wall, loading time.Duration, rounds int) {
	if s.blocks++; s.blocks == 1 {
		s.first = wall
	}
	s.spent += wall
	starts := time.Duration(max(1, s.blocks-1))
	s.start += (max(0, wall-loading) - s.start) / starts
	s.loaded += loading
	s.rounded += rounds
	s.round = s.loaded / time.Duration(max(1, s.rounded))
}

// perBlock is what a block takes: the average of those so far, but for the first one, which finds out more.
func (s *blockSizes) perBlock() time.Duration {
	if s.blocks < 2 {
		return s.first
	}
	return (s.spent - s.first) / time.Duration(s.blocks-1)
}

// costs are what a block costs before its first round, and what each round costs.
func (s *blockSizes) costs() stats.BlockCosts {
	return stats.BlockCosts{Start: float64(s.start), Value: float64(s.round)}
}

// learn sets the size of the next block from the variances of those so far. If the change is large, the block is no
// longer than a useful interval needs.
func (s *blockSizes) learn(blocks []judge.Block) {
	if len(blocks) < blocksForSpread {
		return
	}
	within, between, size, err := power.Spread(measure.CPU, blocks)
	if err != nil || within == 0 {
		return // nothing to learn from; the verdict says why
	}
	s.next = stats.Repetitions(stats.BlockVariances{Within: within, Between: between}, s.costs())
	useful := max(judge.DefaultDelta, usefulPart*size)
	if left := useful*useful - between; left > 0 && size > largeChange*useful {
		s.next = min(s.next, int(math.Ceil(within/left)))
	}
}
