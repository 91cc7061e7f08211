package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

const (
	// clearlyWider is how many times the bound in the middle a bound has to be to stand apart: that of all others says
	// more without it.
	clearlyWider = 2
	// mostWide is how many benchmarks are named of those whose bounds stand apart.
	mostWide = 2
)

// Bounds are the changes that are excluded of benchmarks without a difference.
type Bounds struct {
	n      int           // of the benchmarks
	common judge.Verdict // with the bound of all but a few
	wide   []widerBound  // of these few, the widest first
}

// widerBound is a benchmark whose bound is clearly wider than that of most others.
type widerBound struct {
	name    string
	verdict judge.Verdict
}

// BoundsOf are the bounds of the benchmarks with one of some words, of which there is one at least.
func BoundsOf(r *benchmarks.Result, words ...judge.Word) (all Bounds) {
	var bounds []widerBound
	for _, b := range r.Benchmarks {
		if !slices.Contains(words, b.Word()) {
			continue
		}
		v := b.Verdicts[0]
		if v.Excluded == 0 { // the same, as it was stored before bounds were
			v.Excluded = r.Delta
		}
		bounds = append(bounds, widerBound{b.Name, v})
	}
	slices.SortStableFunc(bounds, func(x, y widerBound) int {
		return cmp.Compare(y.verdict.Excluded, x.verdict.Excluded)
	})
	middle := bounds[len(bounds)/2].verdict.Excluded
	at := slices.IndexFunc(bounds, func(b widerBound) bool { return b.verdict.Excluded <= clearlyWider*middle })
	return Bounds{n: len(bounds), common: bounds[at].verdict, wide: bounds[:at]}
}

// Widest is a verdict with the bound of all.
func (b Bounds) Widest() judge.Verdict {
	if len(b.wide) > 0 {
		return b.wide[0].verdict
	}
	return b.common
}

// sentence is the outcome of several benchmarks of which none differs:
//
//	12 benchmarks: none changed by more than 2.1 %, Parse by less than 6 %
func (b Bounds) sentence() string {
	parts := []string{fmt.Sprintf("%s: none changed by more than %s", units.Plural(b.n, "benchmark"),
		model.Excluded(b.common))}
	return strings.Join(append(parts, b.apart(" by less than ")...), ", ")
}

// String is what is excluded, after "without a change over": "2.1 % (Parse 6 %)".
func (b Bounds) String() string {
	if apart := b.apart(" "); len(apart) > 0 {
		return fmt.Sprintf("%s (%s)", model.Excluded(b.common), strings.Join(apart, ", "))
	}
	return model.Excluded(b.common)
}

// apart are the benchmarks whose bounds stand apart, each with its bound after some words.
func (b Bounds) apart(words string) (parts []string) {
	if n := len(b.wide); n > mostWide {
		return []string{fmt.Sprintf("%d others%s%s", n, words, model.Excluded(b.wide[0].verdict))}
	}
	for _, one := range b.wide {
		parts = append(parts, one.name+words+model.Excluded(one.verdict))
	}
	return parts
}
