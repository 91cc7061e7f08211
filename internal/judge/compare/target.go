package compare

import (
	"slices"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// mostRuledTargets is how many targets a comparison rules on without a gate on them: a ruling on a percentile takes
// thousands of draws.
const mostRuledTargets = 8

// ruledOf are the percentiles of a target that a comparison rules on without a gate on them.
var ruledOf = []judge.Measure{measure.Percentile("p50", 0.5), measure.Percentile("p99", 0.99)}

// TellApart has the referee rule on the targets of the load, too: on those that gates name, by whatever a user calls
// them, and on the first ones. It returns the names of all of them. Errors are those of gate.CheckTargets; further
// calls change nothing.
func (r *Referee) TellApart(targets []string) ([]string, error) {
	if r.targets != nil {
		return r.targets, nil
	}
	if err := gate.CheckTargets(r.question.Gates, targets); err != nil {
		return nil, err
	}
	r.targets = slices.Clone(targets[:min(len(targets), mostRuledTargets)])
	r.question.Measures = slices.Clone(r.question.Measures)
	for _, name := range r.targets {
		for _, m := range ruledOf {
			r.question.Measures = append(r.question.Measures, measure.OfTarget(m, name))
		}
	}
	r.question.Gates = slices.Clone(r.question.Gates)
	for i := range r.question.Gates {
		g := &r.question.Gates[i]
		if g.Measure.Target == "" {
			continue
		}
		at, err := limit.FindTarget(g.Measure.Target, targets)
		if err != nil {
			return nil, err
		}
		if g.Measure = measure.OfTarget(g.Measure, targets[at]); !slices.Contains(r.targets, targets[at]) {
			r.targets = append(r.targets, targets[at])
		}
		if !slices.Contains(r.question.Measures, g.Measure) {
			r.question.Measures = append(r.question.Measures, g.Measure)
		}
	}
	return r.targets, nil
}
