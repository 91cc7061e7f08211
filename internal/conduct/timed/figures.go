package timed

import (
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// The figures of a run are worked out here, and nowhere else: a run's document, the ledger's lists and histories,
// the verdicts of its comparison and all that reads them have the same. In a comparison those of A are what its
// slices and starts show, and those of another variant are where the verdict leads from A: both sides and the change
// then agree.

// Figures are what a run shows of each measure. A comparison takes the middle of its pairs' slices, a run, which has
// no pairs, all of them together; what is read once for each start is the middle of the starts; percentiles are of
// all requests.
func (t *Load) Figures() judge.Sample {
	all := judge.Sample{}
	rounds := t.Slices()
	for _, m := range measure.All {
		switch {
		case m.Level == judge.Pooled:
			if h := t.Tally.Latency(); h != nil && !m.FirstByte && stats.Resolves(h.TotalCount(), m.Quantile) {
				all[m.Key] = float64(h.ValueAtQuantile(100 * m.Quantile))
			}
			if h := t.Tally.FirstByte; h != nil && m.FirstByte && stats.Resolves(h.TotalCount(), m.Quantile) {
				all[m.Key] = float64(h.ValueAtQuantile(100 * m.Quantile))
			}
		case m.Level == judge.PerStart:
			middle(all, m, t.Starts)
		case t.Compared:
			var samples []judge.Sample
			for _, s := range rounds {
				samples = append(samples, s.Sample)
			}
			middle(all, m, samples)
		default:
			if value, ok := BatchOf(t.Samples).values()[m.Key]; ok {
				all[m.Key] = value
			}
		}
	}
	if line := t.Timeline("", time.Time{}); line != nil &&
		!t.Compared { // a comparison has collected garbage before its readings
		g := line.Growth()
		all[measure.HeapGrowth.Key], all[measure.GoroutineGrowth.Key] = g.HeapBytes, g.Goroutines
	}
	return all
}

// middle adds the median of a measure in samples, if one of them has it.
func middle(all judge.Sample, m judge.Measure, samples []judge.Sample) {
	var values []float64
	for _, s := range samples {
		if value, ok, err := m.In(s); ok && err == nil {
			values = append(values, value)
		}
	}
	if value, err := stats.Median(values); err == nil {
		all[m.Key] = value
	}
}
