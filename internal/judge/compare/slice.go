package compare

import (
	"iter"

	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// Place says where in a comparison a slice was taken: of which start, from 0, and in which round of slices of that
// start. The slices of A and of B that were taken in one place are a pair.
type Place struct{ Block, Round int }

// Slice is what one slice of a variant showed, or those of one place together.
type Slice struct {
	Place
	Turn      int // in the order of the variants; that of the first of several slices
	Sample    judge.Sample
	Latency   stats.Distribution
	FirstByte stats.Distribution // of answers that are streams
	// Targets are the latencies of each target that is told apart, by its name.
	Targets map[string]stats.Distribution
	// Disturbed says that the machine was noticeably busy with something else.
	Disturbed bool
}

// Rounds yields the slices of one variant, which are in the order of time, by the places where they were taken. There
// is one for each place, or several that count together.
func Rounds[S any](all []S, place func(S) Place) iter.Seq[[]S] {
	return func(yield func([]S) bool) {
		for from, to := 0, 0; from < len(all); from = to {
			for to = from + 1; to < len(all) && place(all[to]) == place(all[from]); to++ {
			}
			if !yield(all[from:to:to]) {
				return
			}
		}
	}
}

// PairUp puts what A and B showed in the same place side by side: the pairs of each start, in the order in which A has
// them. Slices without a partner are left out.
func PairUp(a, b []Slice) map[int][]judge.Pair {
	partner := map[Place]*Slice{}
	for i := range b {
		partner[b[i].Place] = &b[i]
	}
	pairs := map[int][]judge.Pair{}
	for _, s := range a {
		if o, ok := partner[s.Place]; ok {
			pairs[s.Block] = append(pairs[s.Block], judge.Pair{
				Disturbed: s.Disturbed || o.Disturbed, A: s.Sample, B: o.Sample, LatencyA: s.Latency,
				LatencyB:   o.Latency,
				FirstByteA: s.FirstByte, FirstByteB: o.FirstByte, TargetsA: s.Targets, TargetsB: o.Targets,
			})
		}
	}
	return pairs
}
