package remotewrite

import (
	"github.com/prometheus/client_golang/exp/api/remote"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/prompb"
)

// batch1 is a request of protocol 1.0: prometheus.WriteRequest. An entry has either floats
// or histograms: of one with both, receivers store the floats first, whatever their times.
type batch1 struct {
	content
	request prompb.WriteRequest
	labels  []prompb.Label // of the current series
	fresh   bool           // it has no entry yet
}

var _ batch = (*batch1)(nil)

func (b *batch1) begin(l labels.Labels) {
	b.content.begin(l)
	b.labels, b.fresh = prompb.FromLabels(l, nil), true
}

// entry is the last one if it suits, and a new one otherwise.
func (b *batch1) entry(suits func(*prompb.TimeSeries) bool) *prompb.TimeSeries {
	all := b.request.Timeseries
	if b.fresh || !suits(&all[len(all)-1]) {
		b.fresh = false
		all = append(all, prompb.TimeSeries{Labels: b.labels})
		b.request.Timeseries = all
	}
	return &all[len(all)-1]
}

func (b *batch1) float(t int64, v float64) {
	b.add(t)
	e := b.entry(func(e *prompb.TimeSeries) bool { return len(e.Histograms) == 0 })
	e.Samples = append(e.Samples, prompb.Sample{Timestamp: t, Value: v})
}

func (b *batch1) integers(t int64, h *histogram.Histogram) {
	b.histogram(t, prompb.FromIntHistogram(t, h))
}

func (b *batch1) floats(t int64, h *histogram.FloatHistogram) {
	b.histogram(t, prompb.FromFloatHistogram(t, h))
}

func (b *batch1) histogram(t int64, h prompb.Histogram) {
	b.add(t)
	b.histograms++
	e := b.entry(func(e *prompb.TimeSeries) bool { return len(e.Samples) == 0 })
	e.Histograms = append(e.Histograms, h)
}

func (b *batch1) message() (any, remote.WriteMessageType) {
	return &b.request, remote.WriteV1MessageType
}
