package service

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

func requestOf(variants int, budget time.Duration) lab.Task {
	return lab.Task{Parts: spec.Parts{
		Program: spec.Program{Variants: make([]build.Variant, variants)},
		Load:    spec.Load{Duration: 10 * time.Second, Slice: 50 * time.Millisecond, WarmUp: 250 * time.Millisecond},
		Test:    spec.Test{Budget: budget},
	}}
}

func sizesOf(r lab.Task) blockSizes { return newBlockSizes(r, slicing{slice: r.Slice, perPair: 1}) }

func TestRoundsBeforeAnythingIsKnown(t *testing.T) {
	set := requestOf(2, time.Minute)
	set.BlockLoad = 2500 * time.Millisecond
	for _, c := range []struct {
		name string
		r    lab.Task
		want int
	}{
		{"a run is one block", requestOf(1, 0), 200},
		{"a minute", requestOf(2, time.Minute), 10},
		{"30 s have room for 14 blocks of 1.1 s of slices, and a second will do", requestOf(2, 30*time.Second), 10},
		{"24 s have room for 14 blocks of 0.7 s, and for the check of a gain", requestOf(2, 24*time.Second), 7},
		{"5 s have not, but fewer rounds are not worth a start", requestOf(2, 5*time.Second), fewestRounds},
		{"three variants share, and want more blocks", requestOf(3, 15*time.Second), 4},
		{"the user knows better", set, 25},
	} {
		s := sizesOf(c.r)
		if got := s.rounds(); got != c.want {
			t.Errorf("%s: %d rounds, want %d", c.name, got, c.want)
		}
	}
}

// blocksOf makes blocks whose pairs scatter by within, and whose starts by between: both
// standard deviations of log ratios.
func blocksOf(n, pairs int, within, between float64) []judge.Block {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(pairs)))
	var blocks []judge.Block
	for range n {
		var b judge.Block
		luck := between * rng.NormFloat64()
		for range pairs {
			d := luck + within*rng.NormFloat64()
			b.Pairs = append(b.Pairs, judge.Pair{A: judge.Sample{measure.CPU.Key: 1000},
				B: judge.Sample{measure.CPU.Key: 1000 * math.Exp(d)}})
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// Where starts differ much, many of them are taken; where they do not, or cost much, each
// is made the most of. The budget bounds both.
func TestRoundsFollowTheTwoVariances(t *testing.T) {
	rounds := func(startCost time.Duration, within, between float64) int {
		s := sizesOf(requestOf(2, 2*time.Minute))
		s.took(startCost+20*100*time.Millisecond, 20*100*time.Millisecond, 20)
		s.learn(blocksOf(8, 20, within, between))
		return s.rounds()
	}
	if got := rounds(600*time.Millisecond, 0.03, 0.06); got != soundRounds {
		t.Errorf("starts that differ by 6 %% get %d rounds each, want %d", got, soundRounds)
	}
	// About sqrt(0.6/0.1) * 0.03 / 0.01, as well as 8 starts can tell.
	if got := rounds(600*time.Millisecond, 0.03, 0.01); got < soundRounds || got > 25 {
		t.Errorf("starts that differ by 1 %% get %d rounds each, want 8 to 25", got)
	}
	if got := rounds(600*time.Millisecond, 0.03, 0); got != 24 {
		t.Errorf("starts that do not differ get %d rounds each, want four times what a start takes", got)
	}
	if got, cheap := rounds(4*time.Second, 0.03, 0.012), rounds(100*time.Millisecond, 0.03, 0.012); got <= cheap {
		t.Errorf("dear starts get %d rounds, no more than the %d of cheap ones", got, cheap)
	}
}

// A large change needs no precise blocks: what is left of the budget is the user's. It is as large in the other
// direction.
func TestALargeChangeHasShortBlocks(t *testing.T) {
	rounds := func(change float64) int {
		s := sizesOf(requestOf(2, 2*time.Minute))
		s.took(2600*time.Millisecond, 2*time.Second, 20)
		blocks := blocksOf(8, 20, 0.03, 0)
		for _, b := range blocks {
			for _, p := range b.Pairs {
				p.B[measure.CPU.Key] *= 1 + change
			}
		}
		s.learn(blocks)
		return s.rounds()
	}
	for _, c := range []struct {
		change float64
		want   int
	}{{0, 25}, {0.02, 25}, {0.05, 9}, {0.3, soundRounds}, {-0.3, soundRounds}} {
		if got := rounds(c.change); got < c.want-1 || got > c.want+1 {
			t.Errorf("a change of %+g: %d rounds, want %d", c.change, got, c.want)
		}
	}
}

// What an earlier comparison saw plans the first block, and the user's own sizes stand.
func TestAnEarlierComparisonPlansTheFirstBlock(t *testing.T) {
	known := &record.Spread{Within: 0.03 * 0.03, Between: 0.06 * 0.06, Start: 300 * time.Millisecond}
	s := sizesOf(requestOf(2, time.Minute))
	s.plan(known)
	if s.rounds() != soundRounds || s.start != known.Start {
		t.Errorf("starts that differ by 6 %% get %d rounds of a start of %v, want %d", s.rounds(), s.start, soundRounds)
	}
	set := requestOf(2, time.Minute)
	set.BlockLoad = 2500 * time.Millisecond
	s = sizesOf(set)
	s.plan(known)
	if s.rounds() != 25 {
		t.Errorf("the user's 25 rounds are %d", s.rounds())
	}
	s = sizesOf(requestOf(2, time.Minute))
	before := s
	if s.plan(nil); s != before {
		t.Errorf("nothing known changes %+v to %+v", before, s)
	}
}

func TestBlockTimeIsTheMeanButForTheFirst(t *testing.T) {
	s := sizesOf(requestOf(2, time.Minute))
	if s.perBlock() != 0 {
		t.Errorf("%v before the first", s.perBlock())
	}
	s.took(4*time.Second, 1200*time.Millisecond, 10) // which finds the port
	if s.start != 2800*time.Millisecond || s.round != 120*time.Millisecond {
		t.Errorf("after the first block: %v for the start, %v a round", s.start, s.round)
	}
	s.took(3*time.Second, 2400*time.Millisecond, 20)
	s.took(2*time.Second, 1200*time.Millisecond, 10)
	if s.perBlock() != 2500*time.Millisecond || s.start != 700*time.Millisecond || s.round != 120*time.Millisecond {
		t.Errorf("%v a block, %v of it for the start, %v a round", s.perBlock(), s.start, s.round)
	}
}
