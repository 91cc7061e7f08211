package goruntime

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gohone/hone/internal/program/probeclient"
)

// Source reads all of runtime/metrics in the program, as (*probeclient.Probe).Metrics does
// without names. It has to return when ctx ends.
type Source func(ctx context.Context) (probeclient.Metrics, error)

// DefaultTimeout is how long a program may take to answer unless told otherwise. A probe
// answers within milliseconds; under a full load it may have to wait for a processor.
const DefaultTimeout = time.Second

// Collector is a prometheus.Collector of the runtime of one program. It has no goroutine
// and holds nothing open between scrapes. Scrapes at the same time wait for each other.
type Collector struct {
	source  Source
	timeout time.Duration
	known   map[string]known

	mu    sync.Mutex
	descs map[string]*prometheus.Desc
	held  map[string]float64 // of counters that are estimates
	heap  uint64             // bytes allocated, to notice another process
}

var _ prometheus.Collector = (*Collector)(nil)

const (
	upName = "hone_subject_runtime_up"
	upHelp = "Whether hone could read the runtime of the subject."
)

// New returns a collector of what the source reads. A source that takes longer than the
// timeout has failed; 0 is DefaultTimeout. Failure costs this collector's metrics of that
// scrape and no others: hone_subject_runtime_up is 0 then.
func New(source Source, timeout time.Duration) *Collector {
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	return &Collector{
		source:  source,
		timeout: timeout,
		known:   knownMetrics(),
		descs:   map[string]*prometheus.Desc{},
		held:    map[string]float64{},
	}
}

// Describe tells the one metric that there always is. The others depend on the program's Go
// release.
func (c *Collector) Describe(out chan<- *prometheus.Desc) {
	out <- prometheus.NewDesc(upName, upHelp, nil, nil)
}

// Collect reads the source once.
func (c *Collector) Collect(out chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), c.timeout)
	defer cancel()
	metrics, err := c.source(ctx)
	if err != nil {
		out <- c.number(upName, upHelp, prometheus.GaugeValue, 0)
		return
	}
	out <- c.number(upName, upHelp, prometheus.GaugeValue, 1)
	c.notice(metrics)
	sent := make(map[string]bool, len(metrics)+len(derived))
	for _, d := range derived {
		if value, ok := d.value(metrics); ok {
			out <- c.number(d.name, d.help, d.kind, value)
			sent[d.name] = true
		}
	}
	for name, metric := range metrics {
		// Two names that differ in - and / only would be one for Prometheus, which refuses a
		// whole scrape for that.
		if base := c.lookUp(name).base; base != "" && !sent[base] {
			sent[base] = true
			c.send(out, name, metric, metrics)
		}
	}
}

// send passes on one metric under its name for Prometheus. It leaves out kinds that
// probeclient.Metric does not know, and histograms whose buckets are unknown.
func (c *Collector) send(out chan<- prometheus.Metric, name string, metric probeclient.Metric,
	all probeclient.Metrics) {
	k := c.lookUp(name)
	switch {
	case metric.Histogram != nil:
		if len(k.bounds) < 2 {
			return
		}
		h := coarsen(metric.Histogram, k.bounds)
		if exact, ok := all[exactSums[name]]; ok {
			h.sum = exact.Value
		}
		out <- prometheus.MustNewConstHistogram(c.desc(k.base, k.help), h.count, h.sum, h.cumulative)
	case math.IsNaN(metric.Value):
	case k.cumulative:
		value := metric.Value
		if k.estimate {
			value = c.hold(name, value)
		}
		out <- c.number(k.base+"_total", k.help, prometheus.CounterValue, value)
	default:
		out <- c.number(k.base, k.help, prometheus.GaugeValue, metric.Value)
	}
}

// notice forgets what was held if the program is another one than in the last scrape: the
// bytes it has allocated never go down otherwise.
func (c *Collector) notice(metrics probeclient.Metrics) {
	heap := metrics["/gc/heap/allocs:bytes"].Uint64
	if heap < c.heap {
		clear(c.held)
	}
	c.heap = heap
}

// hold returns the value to show for a counter that is an estimate. The CPU times of the
// runtime are, some of them differences of others, and may go back by a little. Prometheus
// would take that for a restart and add the whole time to its rate, so they stand until
// they are passed, as in client_golang.
func (c *Collector) hold(name string, value float64) float64 {
	c.held[name] = max(c.held[name], value)
	return c.held[name]
}

func (c *Collector) number(name, help string, kind prometheus.ValueType, value float64) prometheus.Metric {
	return prometheus.MustNewConstMetric(c.desc(name, help), kind, value)
}

func (c *Collector) desc(name, help string) *prometheus.Desc {
	d := c.descs[name]
	if d == nil {
		d = prometheus.NewDesc(name, help, nil, nil)
		c.descs[name] = d
	}
	return d
}
