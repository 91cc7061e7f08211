package remotewrite

import (
	"github.com/prometheus/client_golang/exp/api/remote"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	writev2 "github.com/prometheus/prometheus/prompb/io/prometheus/write/v2"
)

// batch2 is a request of protocol 2.0: io.prometheus.write.v2.Request. Each string is in it
// once.
type batch2 struct {
	content
	symbols writev2.SymbolsTable
	request writev2.Request
}

var _ batch = (*batch2)(nil)

func newBatch2() *batch2 { return &batch2{symbols: writev2.NewSymbolTable()} }

func (b *batch2) begin(l labels.Labels) {
	b.content.begin(l)
	b.request.Timeseries = append(b.request.Timeseries,
		writev2.TimeSeries{LabelsRefs: b.symbols.SymbolizeLabels(l, nil)})
}

func (b *batch2) current() *writev2.TimeSeries {
	return &b.request.Timeseries[len(b.request.Timeseries)-1]
}

func (b *batch2) float(t int64, v float64) {
	b.add(t)
	s := b.current()
	s.Samples = append(s.Samples, writev2.Sample{Timestamp: t, Value: v})
}

func (b *batch2) integers(t int64, h *histogram.Histogram) {
	b.histogram(t, writev2.FromIntHistogram(0, t, h))
}

func (b *batch2) floats(t int64, h *histogram.FloatHistogram) {
	b.histogram(t, writev2.FromFloatHistogram(0, t, h))
}

func (b *batch2) histogram(t int64, h writev2.Histogram) {
	b.add(t)
	b.histograms++
	s := b.current()
	s.Histograms = append(s.Histograms, h)
}

func (b *batch2) message() (any, remote.WriteMessageType) {
	b.request.Symbols = b.symbols.Symbols()
	return &b.request, remote.WriteV2MessageType
}
