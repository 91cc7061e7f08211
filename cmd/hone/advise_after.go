package main

import (
	"github.com/gohone/hone/internal/advice"
	"github.com/gohone/hone/internal/lab"
)

// findings are those of stored runs, in their order; nil for one that has no profiles. They come after a measurement that
// is stored and shown without them, too: a failure here is no reason to lose it.
func (a *app) findings(dir string, runs ...string) []*advice.Findings {
	all := make([]*advice.Findings, len(runs))
	l, err := a.readLedger(dir)
	if err != nil {
		return all
	}
	defer l.Close()
	for i, id := range runs {
		v, err := a.viewOf(l, id)
		if err != nil {
			continue
		}
		if found, err := advice.Find(v); err == nil {
			all[i] = found
		}
	}
	return all
}

// explainByFindings fills in which findings came or went, in each contest of a comparison.
func (a *app) explainByFindings(dir string, c *lab.ComparisonRecord) []*advice.Findings {
	if c == nil {
		return nil
	}
	all := a.findings(dir, c.Runs...)
	lab.ExplainByFindings(c, all)
	return all
}
