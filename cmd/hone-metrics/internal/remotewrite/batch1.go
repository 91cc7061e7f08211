package remotewrite

import (
	"github.com/prometheus/client_golang/exp/api/remote"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/prompb"
)

// batch1 is a request of protocol 1.0: prometheus.WriteRequest.
type batch1 struct {
	content
	request prompb.WriteRequest
}

var _ batch = (*batch1)(nil)

func (b *batch1) begin(l labels.Labels) {
	b.content.begin(l)
	b.request.Timeseries = append(b.request.Timeseries, prompb.TimeSeries{Labels: prompb.FromLabels(l, nil)})
}

func (b *batch1) current() *prompb.TimeSeries {
	return &b.request.Timeseries[len(b.request.Timeseries)-1]
}

func (b *batch1) float(t int64, v float64) {
	b.add(t)
	s := b.current()
	s.Samples = append(s.Samples, prompb.Sample{Timestamp: t, Value: v})
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
	s := b.current()
	s.Histograms = append(s.Histograms, h)
}

func (b *batch1) message() (any, remote.WriteMessageType) {
	return &b.request, remote.WriteV1MessageType
}
