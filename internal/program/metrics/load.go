package metrics

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/gohone/hone/load"
)

// LoadState is a load so far.
type LoadState struct {
	Sent, Answered uint64
	// Failed counts failures by load.Cause.
	Failed [load.NumCauses]uint64
	// Connections are those open.
	Connections int
	// GeneratorCPU is the CPU time of the event loops.
	GeneratorCPU time.Duration
}

// Add counts a slice.
func (s *LoadState) Add(slice load.Slice) {
	s.Sent += slice.Sent
	s.Answered += slice.Answered
	for i, n := range slice.Causes {
		s.Failed[i] += n
	}
	s.Connections = slice.Live
	s.GeneratorCPU += slice.WorkerCPU
}

// Load shows a load as it goes on: a prometheus.Collector. It is safe for concurrent use.
type Load struct {
	mu      sync.Mutex
	state   LoadState
	latency *hdrhistogram.Histogram // of all slices; nil before the first
	asked   float64
}

// NewLoad returns the metrics of a load that has not begun. askedHz is the rate of an
// open loop, 0 for a closed one.
func NewLoad(askedHz float64) *Load {
	return &Load{asked: askedHz}
}

// Show takes the load so far and the latencies that came since the last time, each a
// histogram as load.EncodeHistogram writes it.
func (l *Load) Show(s LoadState, latencies ...[]byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = s
	for _, encoded := range latencies {
		h, err := hdrhistogram.Decode(encoded)
		if err != nil {
			return fmt.Errorf("read latencies of a slice: %w", err)
		}
		if l.latency == nil {
			l.latency = h
		} else {
			l.latency.Merge(h)
		}
	}
	return nil
}

// The metrics. Latency is response time in an open loop, service time in a closed one.
var (
	descSent     = prometheus.NewDesc("hone_load_requests_sent_total", "Requests sent.", nil, nil)
	descAnswered = prometheus.NewDesc("hone_load_requests_answered_total", "Requests answered right.", nil, nil)
	descFailed   = prometheus.NewDesc("hone_load_requests_failed_total", "Requests that failed, by cause.",
		[]string{"cause"}, nil)
	descLatency = prometheus.NewDesc("hone_load_latency_seconds",
		"Latency of right answers: response time of an open loop, service time of a closed one.", nil, nil)
	descAsked = prometheus.NewDesc("hone_load_rate_asked",
		"Requests per second that an open loop calls for; absent in a closed loop.", nil, nil)
	descLive      = prometheus.NewDesc("hone_load_connections", "Connections open.", nil, nil)
	descGenerator = prometheus.NewDesc("hone_load_generator_cpu_seconds_total",
		"CPU time of the load generator's event loops.", nil, nil)
)

// Describe sends the descriptions of all metrics.
func (l *Load) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{descSent, descAnswered, descFailed, descLatency, descAsked, descLive,
		descGenerator} {
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
	counter(descSent, float64(l.state.Sent))
	counter(descAnswered, float64(l.state.Answered))
	for i, n := range l.state.Failed {
		if cause := load.Cause(i); cause != load.OK { // each from 0 on, so that a rate has a beginning
			counter(descFailed, float64(n), cause.String())
		}
	}
	counter(descGenerator, l.state.GeneratorCPU.Seconds())
	gauge(descLive, float64(l.state.Connections))
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
	for _, bar := range load.Bars(h) {
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
