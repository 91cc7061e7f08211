package compare

import (
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// leastForScatter is how many blocks of a benchmark tell how they scatter.
const leastForScatter = judge.FirstLook

// prior is what the benchmarks of a run tell of the scatter of one of them: those of one package, on one machine in one
// hour, scatter alike, or show by how much they do not. Two stages of variants have different link orders, so that one
// tells nothing of the other.
func (r *Referee) prior(m judge.Measure) stats.Prior {
	if !r.apart || !r.question.Staged() || m.Level != judge.PerSlice {
		return stats.Prior{}
	}
	var all []stats.Scatter
	for _, s := range r.family(m).contenders {
		if n := len(s.first()); n >= leastForScatter && !s.lost {
			if one, ok := s.scatterOf(m); ok {
				all = append(all, one)
			}
		}
	}
	return stats.PriorOf(all)
}

// scatterOf is how the blocks of the first stage of a contender scatter.
func (s *Contender) scatterOf(m judge.Measure) (one stats.Scatter, ok bool) {
	c, err := judge.ChangesOf(m, s.first())
	if err != nil || len(c.Values) < leastForScatter {
		return one, false
	}
	n := float64(len(c.Values))
	e := stats.StdErr(c.Values)
	return stats.Scatter{Variance: e * e * n, DF: len(c.Values) - 1}, true
}
