package metrics

import (
	"math"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/gohone/hone/load"
)

// Load shows a load as it goes on: a prometheus.Collector that is fed with slices. It is
// safe for concurrent use.
type Load struct {
	mu        sync.Mutex
	sent      uint64
	answered  uint64
	failed    [load.NumCauses]uint64
	latency   *hdrhistogram.Histogram // of all slices; nil before the first
	asked     float64
	live      int
	generator time.Duration
}

// NewLoad returns the metrics of a load that has not begun. askedHz is the rate of an
// open loop, 0 for a closed one.
func NewLoad(askedHz float64) *Load {
	return &Load{asked: askedHz}
}

// Add counts a slice.
func (l *Load) Add(s load.Slice) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent += s.Sent
	l.answered += s.Answered
	for i, n := range s.Causes {
		l.failed[i] += n
	}
	l.live = s.Live
	l.generator += s.WorkerCPU
	// Merged, not sorted into buckets: that takes a millisecond, and load goes on beside it.
	switch h := s.Latency(); {
	case h == nil:
	case l.latency == nil:
		l.latency = hdrhistogram.Import(h.Export())
	default:
		l.latency.Merge(h)
	}
}

// The metrics. Latency is response time in an open loop, service time in a closed one.
var (
	descSent      = prometheus.NewDesc("hone_load_requests_sent_total", "Requests sent.", nil, nil)
	descAnswered  = prometheus.NewDesc("hone_load_requests_answered_total", "Requests answered right.", nil, nil)
	descFailed    = prometheus.NewDesc("hone_load_requests_failed_total", "Requests that failed, by cause.", []string{"cause"}, nil)
	descLatency   = prometheus.NewDesc("hone_load_latency_seconds", "Latency of right answers: response time of an open loop, service time of a closed one.", nil, nil)
	descAsked     = prometheus.NewDesc("hone_load_rate_asked", "Requests per second that an open loop calls for; absent in a closed loop.", nil, nil)
	descLive      = prometheus.NewDesc("hone_load_connections", "Connections open.", nil, nil)
	descGenerator = prometheus.NewDesc("hone_load_generator_cpu_seconds_total", "CPU time of the load generator's event loops.", nil, nil)
)

// Describe sends the descriptions of all metrics.
func (l *Load) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{descSent, descAnswered, descFailed, descLatency, descAsked, descLive, descGenerator} {
		to <- d
	}
}

// Collect sends one snapshot.
func (l *Load) Collect(to chan<- prometheus.Metric) {
	l.mu.Lock()
	defer l.mu.Unlock()
	counter := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, labels...)
	}
	gauge := func(d *prometheus.Desc, v float64) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v)
	}
	counter(descSent, float64(l.sent))
	counter(descAnswered, float64(l.answered))
	for i, n := range l.failed {
		if cause := load.Cause(i); cause != load.OK { // each from 0 on, so that a rate has a beginning
			counter(descFailed, float64(n), cause.String())
		}
	}
	counter(descGenerator, l.generator.Seconds())
	gauge(descLive, float64(l.live))
	if l.asked > 0 {
		gauge(descAsked, l.asked)
	}
	latency := bucketsOf(l.latency)
	to <- prometheus.MustNewConstNativeHistogram(descLatency, latency.count, latency.sum,
		latency.counts, nil, latency.zero, latencySchema, zeroBelow, time.Time{})
}

// A native histogram has buckets that grow by a constant factor, 2^(2^-schema): with
// schema 5 by 2.2 %, which is about what the load engine's own histograms tell apart in
// their first two digits. Values up to zeroBelow, in seconds, are in a bucket of their own.
const (
	latencySchema = 5
	zeroBelow     = 1e-9
)

// buckets are the counts of a native histogram, in seconds, with exponents as Prometheus
// numbers them: bucket i ends at 2^(i * 2^-schema).
type buckets struct {
	counts map[int]int64
	zero   uint64
	count  uint64
	sum    float64
}

// bucketsOf sorts the values of h, which are nanoseconds.
func bucketsOf(h *hdrhistogram.Histogram) buckets {
	b := buckets{counts: map[int]int64{}}
	if h == nil {
		return b
	}
	for _, bar := range h.Distribution() {
		if bar.Count == 0 {
			continue
		}
		seconds := (float64(bar.From) + float64(bar.To)) / 2 / 1e9
		b.count += uint64(bar.Count)
		b.sum += seconds * float64(bar.Count)
		if seconds <= zeroBelow {
			b.zero += uint64(bar.Count)
			continue
		}
		b.counts[int(math.Ceil(math.Log2(seconds)*(1<<latencySchema)))] += bar.Count
	}
	return b
}
