package advice

import (
	"cmp"
	"slices"

	"github.com/gohone/hone/prof/production"
)

// Weight is what the function of a finding takes of CPU time, with all that it calls: in production, and in the run
// that has the finding. Both are shares, 0 to 1.
type Weight struct {
	Production float64 `json:"production"`
	Run        float64 `json:"run"`
	// AtMost is the largest share that production may spend there if none of its samples is of the function; else 0.
	AtMost float64 `json:"at_most,omitempty"`
}

// Weigh ranks findings by what their function takes of production's CPU time. Those at a place that production never
// spends in come last. A finding of the whole program, which has no function, stays before them, and so do wrong
// answers and what grows before all.
func (f *Findings) Weigh(production, run *production.Shares) {
	for i := range f.Findings {
		one := &f.Findings[i]
		if one.Place.Function == "" {
			continue
		}
		one.Weight = &Weight{Production: production.Of(one.Place.Function), Run: run.Of(one.Place.Function)}
		if one.Weight.Production == 0 {
			one.Weight.AtMost = production.Most()
		}
	}
	slices.SortStableFunc(f.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.class(), a.class()), cmp.Compare(b.weight(), a.weight()))
	})
}

// class orders findings before their weights do.
func (f Finding) class() int {
	switch {
	case f.Measure == Answers || f.Measure == Growing:
		return 3
	case f.Weight == nil:
		return 1
	case f.Weight.Production == 0:
		return 0
	}
	return 2
}

func (f Finding) weight() float64 {
	if f.Weight == nil {
		return 0
	}
	return f.Weight.Production
}
