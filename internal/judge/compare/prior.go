package compare

import (
	"slices"

	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// leastForScatter is how many blocks of a benchmark tell how they scatter.
const leastForScatter = judge.FirstLook

// Earlier is how the units of the latest comparisons of a program, or of a benchmark, scattered on this machine: those
// of first stages, and those of second ones, which had other link orders.
type Earlier struct {
	First, Again []stats.Scatter
	Calm         int // how many of them had a calm moment
}

// Add adds what a stored verdict tells of both stages.
func (e *Earlier) Add(v judge.Verdict) {
	if v.Scatter.DF < 1 { // one start, or an older document
		return
	}
	if v.Disturbed < 1 {
		e.Calm++
	}
	if v.First == nil || !v.First.Again {
		e.First = append(e.First, v.Scatter)
		return
	}
	e.First, e.Again = append(e.First, v.First.Scatter), append(e.Again, v.Scatter)
}

// knowing are the rules for a measure of a contender, with what is known of the scatter of its units. There is one form
// of that for both origins: variances, of which stats.PriorOf makes a prior.
//
// Benchmarks know what those of the same run scatter: of one package, on one machine in one hour, they scatter alike,
// or show by how much they do not. Both of their stages have link orders. The stages of variants differ in that, so
// that one tells nothing of the other.
func (r *Referee) knowing(s *Contender, m judge.Measure, o judge.Options) judge.Options {
	o.Prior, o.PriorAgain = stats.Prior{}, stats.Prior{}
	if !r.question.Staged() || m.Level == judge.Pooled || m.Level == judge.PerStart && r.apart {
		return o
	}
	var before Earlier
	if m == r.gated(s) {
		before = r.earlier(s)
	}
	o.NeverCalm = before.Calm == 0 && len(before.First) >= stats.FewestForPrior
	if !r.apart {
		o.Prior = stats.PriorOf(before.First).AtMost(stats.MostEarlierDF)
		o.PriorAgain = stats.PriorOf(before.Again).AtMost(stats.MostEarlierDF)
		return o
	}
	all := slices.Concat(before.First, before.Again)
	for _, other := range r.family(m).contenders {
		if n := len(other.first()); n >= leastForScatter && !other.lost {
			if one, ok := other.scatterOf(m); ok {
				all = append(all, one)
			}
		}
	}
	if o.Prior = stats.PriorOf(all); len(all) == len(before.First)+len(before.Again) {
		o.Prior = o.Prior.AtMost(stats.MostEarlierDF) // no other benchmark of this run
	}
	o.PriorAgain = o.Prior
	return o
}

// earlier asks once what earlier comparisons tell of a contender.
func (r *Referee) earlier(s *Contender) Earlier {
	if s.earlier == nil {
		s.earlier = &Earlier{}
		if r.question.Earlier != nil {
			*s.earlier = r.question.Earlier(s)
		}
	}
	return *s.earlier
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
