// Package metrics shows a framed server's counters to Prometheus. It is a package of its
// own so that neither the server nor a program without metrics needs the library.
package metrics

import (
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gohone/hone/services/framed"
)

// Collector reads a server's counters when it is asked, so that a request costs nothing
// more for being counted here. Register it with a registry; it is safe for concurrent
// use.
type Collector struct {
	counters func() framed.Counters
}

var _ prometheus.Collector = (*Collector)(nil)

// NewCollector returns a collector over counters, which is a server's Counters method.
func NewCollector(counters func() framed.Counters) *Collector {
	return &Collector{counters: counters}
}

// metric is one metric without labels.
type metric struct {
	desc  *prometheus.Desc
	kind  prometheus.ValueType
	value func(*framed.Counters) float64
}

func counter(name, help string, value func(*framed.Counters) uint64) metric {
	return metric{prometheus.NewDesc(name, help, nil, nil), prometheus.CounterValue,
		func(c *framed.Counters) float64 { return float64(value(c)) }}
}

// plain are the metrics without labels, by the names of the published server, with the
// service's own in front.
var plain = []metric{
	{
		prometheus.NewDesc("framed_client_connected", "Clients connected now.", nil, nil),
		prometheus.GaugeValue,
		func(c *framed.Counters) float64 { return float64(c.Connected) },
	},
	counter("framed_connections_accepted_total", "Connections that were served.",
		func(c *framed.Counters) uint64 { return c.Accepted }),
	counter("framed_requests_received_total", "Requests decoded.",
		func(c *framed.Counters) uint64 { return c.Requests }),
	counter("framed_responses_sent_total", "Answers handed to the kernel whole.",
		func(c *framed.Counters) uint64 { return c.Responses }),
	counter("framed_bytes_received_total", "Bytes read from clients.",
		func(c *framed.Counters) uint64 { return c.BytesReceived }),
	counter("framed_bytes_sent_total", "Bytes handed to the kernel for clients.",
		func(c *framed.Counters) uint64 { return c.BytesSent }),
}

// failures has a label for the cause. The causes that are always there are shown from 0
// on, so that a rate has a beginning.
var failures = prometheus.NewDesc("framed_errors_total",
	"Connections refused, closed or lost for a fault, and failures to accept, by cause.", []string{"cause"}, nil)

// Describe sends the descriptions of all metrics.
func (c *Collector) Describe(to chan<- *prometheus.Desc) {
	for _, m := range plain {
		to <- m.desc
	}
	to <- failures
}

// Collect sends one snapshot.
func (c *Collector) Collect(to chan<- prometheus.Metric) {
	now := c.counters()
	for _, m := range plain {
		to <- prometheus.MustNewConstMetric(m.desc, m.kind, m.value(&now))
	}
	failed := func(cause string, n uint64) {
		to <- prometheus.MustNewConstMetric(failures, prometheus.CounterValue, float64(n), cause)
	}
	failed("refused", now.Refused)
	failed("idle", now.Idle)
	failed("stalled", now.Stalled)
	failed("lost", now.Lost)
	failed("accept", now.AcceptFaults)
	for cause, n := range now.BadFrames[:framed.NumCauses] {
		failed(strings.ReplaceAll(framed.Cause(cause).String(), " ", "_"), n)
	}
}
