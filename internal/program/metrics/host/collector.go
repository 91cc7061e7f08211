package host

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Collector is a prometheus.Collector of the machine's metrics. A source that cannot be
// read costs its own metrics only: its node_scrape_collector_success is 0.
// Scrapes at the same time wait for each other.
//
// It holds nothing open between scrapes and has no goroutine of its own then, with one
// exception: a file system that does not answer keeps one until it does.
type Collector struct {
	// begin prepares what several sources share in one scrape; nil for nothing.
	begin   func()
	sources []source

	mu    sync.Mutex // one scrape at a time; guards what follows and what sources remember
	descs map[string]*prometheus.Desc
}

var _ prometheus.Collector = (*Collector)(nil)

// source is what node_exporter calls a collector.
type source struct {
	name string
	read func(*scrape) error
}

const (
	successName  = "node_scrape_collector_success"
	successHelp  = "Whether the source could be read."
	durationName = "node_scrape_collector_duration_seconds"
	durationHelp = "Time that reading the source took."
)

// Describe tells the two metrics that there always are. All others depend on the machine.
func (c *Collector) Describe(out chan<- *prometheus.Desc) {
	if len(c.sources) == 0 {
		return
	}
	s := scrape{descs: map[string]*prometheus.Desc{}}
	out <- s.desc(successName, successHelp, []label{{name: "collector"}})
	out <- s.desc(durationName, durationHelp, []label{{name: "collector"}})
}

// Collect reads all sources, one after the other.
func (c *Collector) Collect(out chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.descs == nil {
		c.descs = map[string]*prometheus.Desc{}
	}
	if c.begin != nil {
		c.begin()
	}
	s := &scrape{out: out, descs: c.descs}
	for _, src := range c.sources {
		start := time.Now()
		err := src.guarded(s)
		took := time.Since(start)
		success := 1.0
		if err != nil {
			success = 0
		}
		s.gauge(successName, successHelp, success, label{"collector", src.name})
		s.gauge(durationName, durationHelp, took.Seconds(), label{"collector", src.name})
	}
}

// guarded turns a panic into an error: some parsers of procfs index the fields of a line
// without counting them, and a /proc of another make (LXC, gVisor) must not end hone.
func (src source) guarded(s *scrape) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("unexpected format: %v", p)
		}
	}()
	return src.read(s)
}

// scrape is where a source hands in its values.
type scrape struct {
	out   chan<- prometheus.Metric
	descs map[string]*prometheus.Desc
}

type label struct{ name, value string }

func (s *scrape) counter(name, help string, value float64, labels ...label) {
	s.send(prometheus.CounterValue, name, help, value, labels)
}

func (s *scrape) gauge(name, help string, value float64, labels ...label) {
	s.send(prometheus.GaugeValue, name, help, value, labels)
}

// untyped is for files in which counts and sizes stand side by side with nothing to tell
// them apart.
func (s *scrape) untyped(name, help string, value float64, labels ...label) {
	s.send(prometheus.UntypedValue, name, help, value, labels)
}

func (s *scrape) send(kind prometheus.ValueType, name, help string, value float64, labels []label) {
	values := make([]string, len(labels))
	for i, l := range labels {
		values[i] = valid(l.value)
	}
	s.out <- prometheus.MustNewConstMetric(s.desc(name, help, labels), kind, value, values...)
}

// valid replaces what is not UTF-8, as names of mounts and devices may be any bytes.
func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// desc makes the description of a metric when it is first seen. A name always comes with
// the same label names.
func (s *scrape) desc(name, help string, labels []label) *prometheus.Desc {
	if d := s.descs[name]; d != nil {
		return d
	}
	names := make([]string, len(labels))
	for i, l := range labels {
		names[i] = l.name
	}
	d := prometheus.NewDesc(name, help, names, nil)
	s.descs[name] = d
	return d
}
