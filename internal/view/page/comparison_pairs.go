package page

import (
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/stats"
)

// mostPairs is how many pairs a page has: more would share pixels.
const mostPairs = 5000

// pairsOf are the slices of two runs that were measured together, those of one place side by side, by the CPU time per
// request that they took, in the order of time; and the fresh starts around them. A note says which are left out.
func pairsOf(a, b *storedRun) (pairs []model.Pair, blocks []model.Block, note string) {
	place := func(s packed.Slice) compare.Place { return compare.Place{Block: s.Block, Round: s.Pair} }
	known := map[compare.Place][]packed.Slice{}
	for round := range compare.Rounds(a.slices, place) {
		known[place(round[0])] = round
	}
	endsA, endsB := collectionEnds(a.runtime), collectionEnds(b.runtime)
	for y := range compare.Rounds(b.slices, place) {
		x := known[place(y[0])]
		before, okA := cpuPerRequest(x)
		after, okB := cpuPerRequest(y)
		if !okA || !okB {
			continue
		}
		p := model.Pair{
			Seconds: min(x[0].Offset, y[0].Offset).Seconds(), Block: y[0].Block, Change: after/before - 1,
			Collector: anyIn(x, endsA) || anyIn(y, endsB),
		}
		for _, s := range slices.Concat(x, y) {
			p.Disturbed = p.Disturbed || s.Conditions.Disturbance(s.Duration).Noticeable()
			p.Steal = p.Steal || s.Conditions.Steal != nil && *s.Conditions.Steal > 0
		}
		pairs = append(pairs, p)
	}
	slices.SortStableFunc(pairs, func(x, y model.Pair) int { return int(1e6*x.Seconds) - int(1e6*y.Seconds) })
	blocks = blocksOf(pairs)
	if n := len(pairs); n > mostPairs {
		thin := make([]model.Pair, mostPairs)
		for i := range thin {
			thin[i] = pairs[i*n/mostPairs]
		}
		pairs, note = thin, fmt.Sprintf("%s of %s pairs are shown, at equal distances", units.Count(mostPairs),
			units.Count(uint64(n)))
	}
	return pairs, blocks, note
}

// collectionEnds are the moments at which collections ended, in order; none where they are not known.
func collectionEnds(t *record.Timeline) (all []time.Duration) {
	if t == nil {
		return nil
	}
	for _, m := range t.Slices {
		all = append(all, m.Collections...)
	}
	slices.Sort(all)
	return all
}

// anyIn says whether one of the moments, which are in order, lies in one of the slices.
func anyIn(all []packed.Slice, moments []time.Duration) bool {
	return slices.ContainsFunc(all, func(s packed.Slice) bool {
		i, _ := slices.BinarySearch(moments, s.Offset)
		return i < len(moments) && moments[i] <= s.Offset+s.Duration
	})
}

// cpuPerRequest is the CPU time per right answer of some slices together, in nanoseconds; false where there is none.
func cpuPerRequest(all []packed.Slice) (float64, bool) {
	var nanos, answered float64
	for _, s := range all {
		nanos, answered = nanos+float64(s.CPU), answered+float64(s.Answered)
	}
	return nanos / answered, answered > 0 && nanos > 0
}

// blocksOf are the starts of pairs that are in the order of time.
func blocksOf(pairs []model.Pair) []model.Block {
	var all []model.Block
	var changes []float64
	for i, p := range pairs {
		if i == 0 || p.Block != pairs[i-1].Block {
			all, changes = append(all, model.Block{From: p.Seconds}), nil
		}
		one := &all[len(all)-1]
		changes = append(changes, p.Change)
		one.To, one.Pairs = p.Seconds, one.Pairs+1
		if middle, err := stats.Median(changes); err == nil && (i+1 == len(pairs) || pairs[i+1].Block != p.Block) {
			one.Middle = middle
		}
	}
	return all
}
