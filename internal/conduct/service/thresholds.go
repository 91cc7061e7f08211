package service

import (
	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/judge"
)

// ofProgram are the measures that conditions on a program are about.
var ofProgram = map[limit.Kind]judge.Measure{
	limit.Start: measure.Start, limit.Growth: measure.HeapGrowth, limit.Goroutines: measure.GoroutineGrowth,
	limit.Descriptors: measure.DescriptorGrowth,
}

// thresholds hold the conditions of a run against what its load and its program showed.
func (m *services) thresholds(v *service, r record.Run) (all []recording.ThresholdResult) {
	for _, c := range m.Task.FailIf {
		if c.Metric.OfProgram() {
			all = append(all, loadtest.Hold(c, func(m limit.Metric) (float64, bool) { return programFigure(r, m) }))
			continue
		}
		all = append(all, loadtest.Apply([]limit.Threshold{c}, v.targets, v.timed.Tally)...)
	}
	return all
}

// programFigure is a figure of the program. Of a heap with few collections it is not known whether it grows.
func programFigure(r record.Run, m limit.Metric) (float64, bool) {
	if m.Kind == limit.Growth && r.GCCycles < record.FewestCollections {
		return 0, false
	}
	x := r.Figure(ofProgram[m.Kind])
	if x == nil {
		return 0, false
	}
	return *x, true
}
