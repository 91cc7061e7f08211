package compare

import (
	"slices"

	"github.com/gohone/hone/internal/judge/limit"
)

// OfTarget is the measure, a percentile of the latency, of the target with a name.
func (m Measure) OfTarget(name string) Measure {
	m.Key, m.Name, m.Target = m.Key+"{"+name+"}", m.Name+" of "+name, name
	return m
}

// MostRuledTargets is how many targets a comparison rules on without a gate on them: a ruling on a percentile takes
// thousands of draws.
const MostRuledTargets = 8

// ruledOf are the percentiles of a target that a comparison rules on without a gate on them.
var ruledOf = []Measure{percentile("p50", 0.5), percentile("p99", 0.99)}

// CheckTargets refuses gates on unknown targets. Errors are *fail.Error of kind BadInput.
func CheckTargets(gates []Gate, targets []string) error {
	for _, g := range gates {
		if g.Measure.Target == "" {
			continue
		}
		if _, err := limit.FindTarget(g.Measure.Target, targets); err != nil {
			return err
		}
	}
	return nil
}

// TellApart has the referee rule on the targets of the load, too: on those that gates name, by whatever a user calls them,
// and on the first ones. It returns the names of all of them. Errors are those of CheckTargets; further calls change nothing.
func (r *Referee) TellApart(targets []string) ([]string, error) {
	if r.targets != nil {
		return r.targets, nil
	}
	if err := CheckTargets(r.question.Gates, targets); err != nil {
		return nil, err
	}
	r.targets = slices.Clone(targets[:min(len(targets), MostRuledTargets)])
	r.question.Measures = slices.Clone(r.question.Measures)
	for _, name := range r.targets {
		for _, m := range ruledOf {
			r.question.Measures = append(r.question.Measures, m.OfTarget(name))
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
		if g.Measure = g.Measure.OfTarget(targets[at]); !slices.Contains(r.targets, targets[at]) {
			r.targets = append(r.targets, targets[at])
		}
		if !slices.Contains(r.question.Measures, g.Measure) {
			r.question.Measures = append(r.question.Measures, g.Measure)
		}
	}
	return r.targets, nil
}
