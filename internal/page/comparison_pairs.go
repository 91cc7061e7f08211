package page

import (
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/units"
	"github.com/gohone/hone/stats"
)

// mostPairs is how many pairs a page has: more would share pixels.
const mostPairs = 5000

// pairsOf are the slices of two runs that were measured together, one of each right after the other, by the CPU time per
// request that they took, in the order of time; and the fresh starts around them. A note says which are left out.
func pairsOf(a, b *storedRun) (pairs []Pair, blocks []Block, note string) {
	type key struct{ block, pair int }
	known := map[key]*ledger.Slice{}
	for i := range a.slices {
		known[key{a.slices[i].Block, a.slices[i].Pair}] = &a.slices[i]
	}
	endsA, endsB := collectionEnds(a.runtime), collectionEnds(b.runtime)
	for i := range b.slices {
		x, y := known[key{b.slices[i].Block, b.slices[i].Pair}], &b.slices[i]
		if x == nil || x.Answered == 0 || y.Answered == 0 || x.CPU <= 0 || y.CPU <= 0 {
			continue
		}
		p := Pair{
			Seconds: min(x.Start, y.Start).Seconds(), Block: y.Block,
			Change:    float64(y.CPU)/float64(y.Answered)/(float64(x.CPU)/float64(x.Answered)) - 1,
			Collector: anyIn(x, endsA) || anyIn(y, endsB),
		}
		for _, s := range []*ledger.Slice{x, y} {
			p.Disturbed = p.Disturbed || s.Conditions.Disturbance(s.Duration).Noticeable()
			p.Steal = p.Steal || s.Conditions.Steal != nil && *s.Conditions.Steal > 0
		}
		pairs = append(pairs, p)
	}
	slices.SortStableFunc(pairs, func(x, y Pair) int { return int(1e6*x.Seconds) - int(1e6*y.Seconds) })
	blocks = blocksOf(pairs)
	if n := len(pairs); n > mostPairs {
		thin := make([]Pair, mostPairs)
		for i := range thin {
			thin[i] = pairs[i*n/mostPairs]
		}
		pairs, note = thin, fmt.Sprintf("%s of %s pairs are shown, at equal distances", units.Count(mostPairs), units.Count(uint64(n)))
	}
	return pairs, blocks, note
}

// collectionEnds are the moments at which collections ended, in order; none where they are not known.
func collectionEnds(t *lab.Timeline) (all []time.Duration) {
	if t == nil {
		return nil
	}
	for _, m := range t.Slices {
		all = append(all, m.Collections...)
	}
	slices.Sort(all)
	return all
}

// anyIn says whether one of the moments, which are in order, lies in the slice.
func anyIn(s *ledger.Slice, moments []time.Duration) bool {
	i, _ := slices.BinarySearch(moments, s.Start)
	return i < len(moments) && moments[i] <= s.Start+s.Duration
}

// blocksOf are the starts of pairs that are in the order of time.
func blocksOf(pairs []Pair) []Block {
	var all []Block
	var changes []float64
	for i, p := range pairs {
		if i == 0 || p.Block != pairs[i-1].Block {
			all, changes = append(all, Block{From: p.Seconds}), nil
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
