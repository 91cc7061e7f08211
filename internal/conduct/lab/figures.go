package lab

import (
	"math"
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// The figures of a run are worked out here, and nowhere else: a run's document, the ledger's lists and histories,
// the verdicts of its comparison and all that reads them have the same. In a comparison those of A are what its
// slices and starts show, and those of another variant are where the verdict leads from A: both sides and the change
// then agree.

// figures are what a run shows of each measure. A comparison takes the middle of its pairs' slices, a run, which has
// no pairs, all of them together; what is read once for each start is the middle of the starts; percentiles are of
// all requests.
func (v *service) figures() judge.Sample {
	all := judge.Sample{}
	rounds := v.slices()
	for _, m := range measure.All {
		switch {
		case m.Level == judge.Pooled:
			if h := v.timed.tally.Latency(); h != nil && !m.FirstByte && stats.Resolves(h.TotalCount(), m.Quantile) {
				all[m.Key] = float64(h.ValueAtQuantile(100 * m.Quantile))
			}
			if h := v.timed.tally.FirstByte; h != nil && m.FirstByte && stats.Resolves(h.TotalCount(), m.Quantile) {
				all[m.Key] = float64(h.ValueAtQuantile(100 * m.Quantile))
			}
		case m.Level == judge.PerStart:
			middle(all, m, v.timed.starts)
		case v.compared:
			var samples []judge.Sample
			for _, s := range rounds {
				samples = append(samples, s.Sample)
			}
			middle(all, m, samples)
		default:
			if value, ok := batchOf(v.timed.samples).values()[m.Key]; ok {
				all[m.Key] = value
			}
		}
	}
	if t := v.timeline(time.Time{}); t != nil && !v.compared { // a comparison has collected garbage before its readings
		g := t.growth()
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

// takeFigures gives the verdicts of a contest the figures of its runs.
func (c *Contest) takeFigures(a, b judge.Sample) {
	for i := range c.Verdicts {
		v := &c.Verdicts[i]
		ofA, knownA := a[v.Measure.Key]
		ofB, knownB := b[v.Measure.Key]
		switch {
		case !knownA || !knownB:
		case v.Measure.Level == judge.Pooled:
			*v = v.OfRuns(ofA, ofB)
		default:
			v.A = ofA
			v.B = v.LedTo(ofB)
		}
	}
}

// takeFigures gives the documents of runs the figures that the verdicts of their comparison have of them.
func (c *ComparisonRecord) takeFigures(runs []Record) {
	for _, contest := range c.Contests {
		for i := range contest.Verdicts {
			v := &contest.Verdicts[i]
			f := figureOf(v.Measure)
			if f == nil {
				continue
			}
			f.set(&runs[contest.B], v.B)
			v.A, v.B = f.stored(&runs[contest.A], v.A), f.stored(&runs[contest.B], v.B)
		}
	}
}

// figure is where the document of a run has a measure.
type figure struct {
	measure judge.Measure
	// of is nil where the document does not have it.
	of func(*Record) *float64
	// set changes it; nil for percentiles, which are of the distribution of all latencies.
	set func(*Record, float64)
}

// stored is a figure as the document of a run has it: in whole bytes and nanoseconds.
func (f *figure) stored(r *Record, figure float64) float64 {
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
	{measure.CPU, func(r *Record) *float64 {
		if r.CPUNanos == nil {
			return nil
		}
		return &r.CPUNanos.Value
	}, func(r *Record, x float64) {
		if r.CPUNanos == nil {
			return
		}
		r.CPUNanos.center(x)
		for i := range r.Hot { // the profile divides up what the clock says
			r.Hot[i].PerRequest = r.Hot[i].Share / 100 * x
		}
	}},
	{measure.Throughput, func(r *Record) *float64 {
		if r.Latency == nil {
			return nil
		}
		return &r.RequestsPerSecond
	}, func(r *Record, x float64) { r.RequestsPerSecond = x }},
	percentile("p50", func(l *Latency) int64 { return l.P50 }),
	percentile("p90", func(l *Latency) int64 { return l.P90 }),
	percentile("p99", func(l *Latency) int64 { return l.P99 }),
	percentile("p99.9", func(l *Latency) int64 { return l.P999 }),
	percentile("ttfb-p50", func(l *Latency) int64 { return l.P50 }),
	percentile("ttfb-p99", func(l *Latency) int64 { return l.P99 }),
	{measure.Messages, func(r *Record) *float64 {
		if r.Streams == nil {
			return nil
		}
		return &r.Streams.MessagesPerSecond
	}, func(r *Record, x float64) {
		if r.Streams != nil {
			r.Streams.MessagesPerSecond = x
		}
	}},
	perRequestFigure(measure.Allocs, func(p *PerRequest) **float64 { return &p.Allocs }),
	perRequestFigure(measure.Bytes, func(p *PerRequest) **float64 { return &p.AllocBytes }),
	perRequestFigure(measure.ReadCalls, func(p *PerRequest) **float64 { return &p.ReadCalls }),
	perRequestFigure(measure.WriteCalls, func(p *PerRequest) **float64 { return &p.WriteCalls }),
	wholeNumberFigure(measure.PeakRSS, func(r *Record) *uint64 { return &r.PeakRSSBytes }),
	wholeNumberFigure(measure.Resident, func(r *Record) *uint64 { return &r.ResidentBytes }),
	{measure.Throttled, func(r *Record) *float64 {
		if r.Box == nil || r.Box.CPUs == 0 {
			return nil
		}
		percent := 100 * r.Box.ThrottledShare
		return &percent
	}, func(r *Record, x float64) {
		if r.Box != nil {
			r.Box.ThrottledShare = x / 100
		}
	}},
	wholeNumberFigure(measure.Start, func(r *Record) *time.Duration { return &r.ReadyAfter }),
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
	f.of = func(r *Record) *float64 {
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
		func(r *Record) *float64 { return *at(&r.PerRequest) },
		func(r *Record, x float64) { *at(&r.PerRequest) = &x }}
}

// wholeNumberFigure is one that a document has as a whole number; 0 is not known.
func wholeNumberFigure[N ~uint64 | ~int64](m judge.Measure, at func(*Record) *N) figure {
	return figure{m, func(r *Record) *float64 {
		x := float64(*at(r))
		if x == 0 {
			return nil
		}
		return &x
	}, func(r *Record, x float64) { *at(r) = N(math.Round(x)) }}
}

// measures are the results of a run that lists and histories show.
func (r Record) measures() []ledger.MeasureValue {
	var all []ledger.MeasureValue
	for _, f := range figures {
		value := f.of(&r)
		if value == nil {
			continue
		}
		m := ledger.MeasureValue{Name: f.measure.Key, Unit: f.measure.Unit, Value: *value}
		if c := r.CPUNanos; f.measure == measure.CPU && c.Conf > 0 {
			m.Low, m.High = &c.Low, &c.High
		}
		all = append(all, m)
	}
	return all
}
