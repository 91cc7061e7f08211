package record

import (
	"math"
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// figure is where the document of a run has a measure.
type figure struct {
	measure judge.Measure
	// of is nil where the document does not have it.
	of func(*Run) *float64
	// set changes it; nil for percentiles, which are of the distribution of all latencies.
	set func(*Run, float64)
}

// stored is a figure as the document of a run has it: in whole bytes and nanoseconds.
func (f *figure) stored(r *Run, figure float64) float64 {
	if has := f.of(r); has != nil {
		return *has
	}
	return figure
}

// figureOf is the figure of a measure that can be set; nil if there is none.
func figureOf(m judge.Measure) *figure {
	for i := range figures {
		if figures[i].measure == m && figures[i].set != nil {
			return &figures[i]
		}
	}
	return nil
}

// figures are those of a document under load, in the order of measure.All.
var figures = []figure{
	{measure.CPU, func(r *Run) *float64 {
		if r.CPUNanos == nil {
			return nil
		}
		return &r.CPUNanos.Value
	}, func(r *Run, x float64) {
		if r.CPUNanos == nil {
			return
		}
		r.CPUNanos.Center(x)
		for i := range r.Hot { // the profile divides up what the clock says
			r.Hot[i].PerRequest = r.Hot[i].Share / 100 * x
		}
	}},
	{measure.Throughput, func(r *Run) *float64 {
		if r.Latency == nil {
			return nil
		}
		return &r.RequestsPerSecond
	}, func(r *Run, x float64) { r.RequestsPerSecond = x }},
	percentile("p50", func(l *Latency) int64 { return l.P50 }),
	percentile("p90", func(l *Latency) int64 { return l.P90 }),
	percentile("p99", func(l *Latency) int64 { return l.P99 }),
	percentile("p99.9", func(l *Latency) int64 { return l.P999 }),
	percentile("ttfb-p50", func(l *Latency) int64 { return l.P50 }),
	percentile("ttfb-p99", func(l *Latency) int64 { return l.P99 }),
	{measure.Messages, func(r *Run) *float64 {
		if r.Streams == nil {
			return nil
		}
		return &r.Streams.MessagesPerSecond
	}, func(r *Run, x float64) {
		if r.Streams != nil {
			r.Streams.MessagesPerSecond = x
		}
	}},
	perRequestFigure(measure.Allocs, func(p *PerRequest) **float64 { return &p.Allocs }),
	perRequestFigure(measure.Bytes, func(p *PerRequest) **float64 { return &p.AllocBytes }),
	perRequestFigure(measure.ReadCalls, func(p *PerRequest) **float64 { return &p.ReadCalls }),
	perRequestFigure(measure.WriteCalls, func(p *PerRequest) **float64 { return &p.WriteCalls }),
	wholeNumberFigure(measure.PeakRSS, func(r *Run) *uint64 { return &r.PeakRSSBytes }),
	wholeNumberFigure(measure.Resident, func(r *Run) *uint64 { return &r.ResidentBytes }),
	{measure.Throttled, func(r *Run) *float64 {
		if r.Box == nil || r.Box.CPUs == 0 {
			return nil
		}
		percent := 100 * r.Box.ThrottledShare
		return &percent
	}, func(r *Run, x float64) {
		if r.Box != nil {
			r.Box.ThrottledShare = x / 100
		}
	}},
	wholeNumberFigure(measure.Start, func(r *Run) *time.Duration { return &r.ReadyAfter }),
	perRequestFigure(measure.HeapGrowth, func(p *PerRequest) **float64 { return &p.HeapKept }),
	perRequestFigure(measure.GoroutineGrowth, func(p *PerRequest) **float64 { return &p.GoroutinesKept }),
	perRequestFigure(measure.DescriptorGrowth, func(p *PerRequest) **float64 { return &p.DescriptorsKept }),
}

// percentile is the figure of the percentile with a key, of all latencies or of the times to the first byte.
func percentile(key string, of func(*Latency) int64) figure {
	f := figure{}
	for _, m := range measure.All {
		if m.Key == key {
			f.measure = m
		}
	}
	f.of = func(r *Run) *float64 {
		l := r.Latency
		if f.measure.FirstByte {
			if l = nil; r.Streams != nil {
				l = r.Streams.FirstByte
			}
		}
		if l == nil || !stats.Resolves(l.Count, f.measure.Quantile) {
			return nil
		}
		nanos := float64(of(l))
		return &nanos
	}
	return f
}

// perRequestFigure is one that a document has under per_request.
func perRequestFigure(m judge.Measure, at func(*PerRequest) **float64) figure {
	return figure{m,
		func(r *Run) *float64 { return *at(&r.PerRequest) },
		func(r *Run, x float64) { *at(&r.PerRequest) = &x }}
}

// wholeNumberFigure is one that a document has as a whole number; 0 is not known.
func wholeNumberFigure[N ~uint64 | ~int64](m judge.Measure, at func(*Run) *N) figure {
	return figure{m, func(r *Run) *float64 {
		x := float64(*at(r))
		if x == 0 {
			return nil
		}
		return &x
	}, func(r *Run, x float64) { *at(r) = N(math.Round(x)) }}
}
