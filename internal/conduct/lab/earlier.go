package lab

import (
	"encoding/json"
	"iter"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// searched is how many of the latest runs of a program are searched for what their comparisons learned.
const searched = 20

// Earlier are the latest comparisons of a program, the first variant, under a plan and on this machine, the newest
// first. A ledger that cannot be read has none: nothing that is measured rests on it.
func (m *Measurement) Earlier(first *Side, plan string) iter.Seq[record.Comparison] {
	return func(yield func(record.Comparison) bool) {
		runs, err := m.Ledger.Runs(ledger.RunFilter{
			Package: first.Binary.Package, Plan: plan, Machine: ledger.MachineKey(m.Env.Description),
			Status: []ledger.Status{ledger.Complete}, Limit: searched, NoDoc: true,
		})
		if err != nil {
			return
		}
		for _, run := range runs {
			if run.Comparison == "" || run.Variant != first.Letter {
				continue
			}
			row, err := m.Ledger.Comparison(run.Comparison)
			var c record.Comparison
			if err == nil && json.Unmarshal(row.Doc, &c) == nil && c.Schema == record.ComparisonSchema && !yield(c) {
				return
			}
		}
	}
}

// Scattered is how the units of earlier comparisons scattered in a measure: what the next one knows of it.
func Scattered(all iter.Seq[record.Comparison], m judge.Measure) (known compare.Earlier) {
	for c := range all {
		for _, contest := range c.Contests {
			for _, v := range contest.Verdicts {
				if v.Measure.Key == m.Key {
					known.Add(v)
				}
			}
		}
	}
	return known
}
