package remotewrite

import (
	"github.com/prometheus/client_golang/exp/api/remote"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	writev2 "github.com/prometheus/prometheus/prompb/io/prometheus/write/v2"
)

// batch2 is a request of protocol 2.0: io.prometheus.write.v2.Request. Each string is in it
// once, and an entry has either floats or histograms.
type batch2 struct {
	content
	symbols writev2.SymbolsTable
	request writev2.Request
	refs    []uint32 // the labels of the current series
	fresh   bool     // it has no entry yet
}

var _ batch = (*batch2)(nil)

func newBatch2() *batch2 { return &batch2{symbols: writev2.NewSymbolTable()} }

func (b *batch2) begin(l labels.Labels) {
	b.content.begin(l)
	b.refs, b.fresh = b.symbols.SymbolizeLabels(l, nil), true
}

// entry is the last one if it suits, and a new one otherwise.
func (b *batch2) entry(suits func(*writev2.TimeSeries) bool) *writev2.TimeSeries {
	all := b.request.Timeseries
	if b.fresh || !suits(&all[len(all)-1]) {
		b.fresh = false
		all = append(all, writev2.TimeSeries{LabelsRefs: b.refs})
		b.request.Timeseries = all
	}
	return &all[len(all)-1]
}

func (b *batch2) float(t int64, v float64) {
	b.add(t)
	e := b.entry(func(e *writev2.TimeSeries) bool { return len(e.Histograms) == 0 })
	e.Samples = append(e.Samples, writev2.Sample{Timestamp: t, Value: v})
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
	e := b.entry(func(e *writev2.TimeSeries) bool { return len(e.Samples) == 0 })
	e.Histograms = append(e.Histograms, h)
}

func (b *batch2) message() (any, remote.WriteMessageType) {
	b.request.Symbols = b.symbols.Symbols()
	return &b.request, remote.WriteV2MessageType
}
